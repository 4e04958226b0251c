/**
 * Lock that lets one process at a time install into a folder. The holder listens on a socket, which
 * the system closes when the process ends, even if it is killed. A file with a process id would
 * outlive a killed process. Other locks of this program use `node:sqlite`, which Node.js 20 lacks.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Waits for the lock of the folder, runs the action and releases the lock.
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} action
 * @param {string} work what another holder of the lock does
 */
export async function withInstallLock(folder, action, work = 'install the dependencies') {
  const name = socketName(realpathSync(folder));
  let lock = await tryLock(name);
  if (lock === undefined) console.error(`Waiting for another process to ${work}…`);
  while (lock === undefined) {
    await waitForHolder(name);
    lock = await tryLock(name);
  }
  try {
    return await action();
  } finally {
    lock.release();
  }
}

/** @param {string} folder */
function socketName(folder) {
  const name = `toponym-setup-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  // an abstract socket, which only Linux has, leaves no file
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

/**
 * Returns the lock, or undefined if it is held already.
 * @param {string} name
 */
async function tryLock(name) {
  const server = createServer();
  /** @type {Set<import('node:net').Socket>} */
  const waiting = new Set();
  server.on('connection', (socket) => {
    waiting.add(socket);
    // connections of waiting processes must not keep this process running
    socket.unref().on('error', () => socket.destroy());
  });
  server.listen(name);
  try {
    await once(server.unref(), 'listening');
    return {
      release() {
        server.close();
        for (const socket of waiting) socket.destroy();
      },
    };
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/**
 * Resolves when the holder has ended or released the lock.
 * @param {string} name
 */
async function waitForHolder(name) {
  const socket = connect(name);
  try {
    await once(socket, 'connect');
    await once(socket.resume(), 'close');
  } catch (error) {
    const code = codeOf(error);
    if (!['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT'].includes(code)) throw error;
    // the socket file of a killed process remains
    if (code === 'ECONNREFUSED' && !name.startsWith('\0')) rmSync(name, { force: true });
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code ?? '';
}
