/**
 * Runs `npm ci`, and stops it when this process gets a signal. An installation that continued after
 * Ctrl-C would write to node_modules while the next start reads it.
 */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';

// Without a network npm would retry for many minutes; with these values it fails within about two.
// The timeout applies to a connection without data, so a slow download is not cut off.
const NETWORK_FLAGS = [
  '--prefer-offline',
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=3000',
  '--fetch-timeout=20000',
  '--maxsockets=50',
];
/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** Time for npm to end after a signal before it is killed. */
const KILL_AFTER_MS = 3000;

/**
 * Replaces node_modules by the locked packages. A signal ends this process.
 * @param {string} root
 * @param {{ needsDev: boolean }} needs
 */
export async function installPackages(root, { needsDev }) {
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...NETWORK_FLAGS];
  // said in both cases, so that NODE_ENV changes nothing
  args.push(needsDev ? '--include=dev' : '--omit=dev');
  const child = startNpm(args, root);
  const stopForwarding = forwardSignals(child);
  const { error, code, signal } = await ended(child);
  const received = stopForwarding();
  if (received !== undefined) return endBySignal(received);
  if (error) throw new Error(`npm could not be started (${error.message}). It comes with Node.js: https://nodejs.org`);
  if (code === 0) return;
  throw new Error(
    `The dependencies could not be installed: npm ci ended with ${signal ?? `exit code ${code}`}; see its messages above. ` +
      'The installation needs a connection to the npm registry or a filled npm cache; after it, Toponym starts without one. ' +
      'Run the command again when there is a connection.',
  );
}

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function startNpm(args, cwd) {
  /** @type {import('node:child_process').SpawnOptions} */
  const options = { cwd, stdio: ['ignore', 2, 2] }; // all output of npm goes to standard error
  const script = process.env.npm_execpath ?? '';
  // pnpm and yarn set npm_execpath too, but have other commands and flags
  if (basename(script) === 'npm-cli.js') {
    // uses npm's own Node.js, because npm ci deletes the one in node_modules
    return spawn(process.env.npm_node_execpath ?? process.execPath, [script, ...args], options);
  }
  return spawn('npm', args, { ...options, shell: process.platform === 'win32' });
}

/**
 * Forwards signals to the child, and kills it if it does not end. Returns a function that stops
 * forwarding and returns the first signal, if any.
 * @param {ChildProcess} child
 */
function forwardSignals(child) {
  /** @type {NodeJS.Signals | undefined} */
  let first;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    first ??= signal;
    child.kill(signal);
    timer ??= setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  return () => {
    clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, forward);
    return first;
  };
}

/**
 * @param {ChildProcess} child
 * @returns {Promise<{ error?: Error, code?: number | null, signal?: NodeJS.Signals | null }>}
 */
function ended(child) {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ error }));
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
}

/**
 * Ends this process by the signal itself, so that npm and the shell see the signal.
 * @param {NodeJS.Signals} signal
 */
function endBySignal(signal) {
  console.error('Stopped while installing dependencies. The next start installs them again.');
  process.kill(process.pid, signal);
  // nothing may run until the signal arrives
  return new Promise((resolve) => setTimeout(resolve, 60_000));
}
