/**
 * Lets one process at a time install into a folder. The lock is a socket that the process listens on, so the system
 * releases it when the process ends, however it ends. (`node:sqlite`, which locks elsewhere in this program, is not in
 * Node.js 20; a file with a process id would outlive a killed process.)
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs the action with the lock of the folder held, after waiting for any other holder. */
export async function withInstallLock(folder, action) {
  const name = socketName(realpathSync(folder));
  let lock = await tryLock(name);
  if (lock === undefined) console.error('Waiting for another process that installs the dependencies of this folder…');
  while (lock === undefined) {
    await holderEnded(name);
    lock = await tryLock(name);
  }
  try {
    return await action();
  } finally {
    lock.close();
  }
}

function socketName(folder) {
  const name = `toponym-setup-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  // Linux has sockets without a file
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

/** The listening server, or undefined if another process listens. */
async function tryLock(name) {
  const server = createServer();
  // a waiting process is only connected: it must not keep this one running
  server.on('connection', (socket) => socket.unref().on('error', () => socket.destroy()));
  server.listen(name);
  try {
    await once(server, 'listening');
    return server.unref();
  } catch (error) {
    if (error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** Resolves when the process that listens has ended or released the lock. */
async function holderEnded(name) {
  const socket = connect(name);
  try {
    await once(socket, 'connect');
    await once(socket.resume(), 'close');
  } catch (error) {
    if (!['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT'].includes(error.code)) throw error;
    // a socket file that nobody listens on was left by a killed process
    if (error.code === 'ECONNREFUSED' && !name.startsWith('\0')) rmSync(name, { force: true });
  }
}
