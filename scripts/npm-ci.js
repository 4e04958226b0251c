/**
 * Runs `npm ci`, and stops it when this process is told to stop: an installation that runs on after Ctrl-C would write
 * into node_modules while the next start reads it.
 */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';

// Without a network npm would retry for many minutes; these values end it in about two at the most. The timeout is for
// a connection on which nothing arrives, so a slow download is not cut off.
const NETWORK_FLAGS = [
  '--prefer-offline',
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=3000',
  '--fetch-timeout=20000',
  '--maxsockets=50',
];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Time for npm to end after a signal, before it is killed. */
const STOP_MS = 3000;

/** Installs exactly the locked packages into an emptied node_modules. Ends this process if a signal stops it. */
export async function installPackages(root, { needsDev }) {
  // --include=dev: otherwise NODE_ENV=production leaves the development dependencies out
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...NETWORK_FLAGS];
  if (needsDev) args.push('--include=dev');
  const child = startNpm(args, root);
  const stop = forwardSignals(child);
  const { error, code, signal } = await ended(child);
  const stoppedBy = stop.done();
  if (stoppedBy !== undefined) return endBySignal(stoppedBy);
  if (error) throw new Error(`npm could not be started (${error.message}). It comes with Node.js: https://nodejs.org`);
  if (code === 0) return;
  throw new Error(
    `The dependencies could not be installed: npm ci ended with ${signal ?? `exit code ${code}`}; its messages are above. ` +
      'Installing needs a connection to the npm registry, or a filled npm cache; once installed, Toponym starts without. ' +
      'Run the command again when there is a connection.',
  );
}

function startNpm(args, cwd) {
  const options = { cwd, stdio: ['ignore', 2, 2] };
  const script = process.env.npm_execpath ?? '';
  // pnpm and yarn set this variable to themselves, and take other commands and flags
  if (basename(script) === 'npm-cli.js') {
    // npm's own Node.js, because the one in node_modules is deleted by npm ci
    return spawn(process.env.npm_node_execpath ?? process.execPath, [script, ...args], options);
  }
  return spawn('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** Passes signals on to the child until `done` is called, which returns the first signal that came. */
function forwardSignals(child) {
  let first;
  let timer;
  const forward = (signal) => {
    first ??= signal;
    child.kill(signal);
    timer ??= setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  const done = () => {
    clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, forward);
    return first;
  };
  return { done };
}

function ended(child) {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ error }));
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Ends as a program without signal handlers would, so that npm and the shell see the signal. */
function endBySignal(signal) {
  console.error('Stopped while installing dependencies. The next start installs them again.');
  process.kill(process.pid, signal);
  // the signal arrives in a moment; nothing may run until then
  return new Promise((resolve) => setTimeout(resolve, 60_000));
}
