/**
 * The first signal handlers of the process. Signals that arrive while the program is loading are
 * held until `receiveSignals` provides a handler. Plain JavaScript, because the Node.js that loads
 * this file may be too old for TypeScript.
 */
const SIGNALS = /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']);

/** @typedef {typeof SIGNALS[number]} SignalName */

/** @type {SignalName[]} */
const held = [];
/** @type {(signal: SignalName) => void} */
let handle = (signal) => held.push(signal);
let isHolding = false;

/** Ignores SIGUSR1, which would open the debugger, through which any local user can run code. */
export function ignoreDebuggerSignal() {
  process.on('SIGUSR1', () => {});
}

/** Holds signals from now on, so that they do not end the process. A second call does nothing. */
export function holdSignals() {
  if (isHolding) return;
  isHolding = true;
  for (const signal of SIGNALS) process.on(signal, () => handle(signal));
}

/**
 * Passes the held signals and all later ones to `handler`.
 * @param {(signal: SignalName) => void} handler
 */
export function receiveSignals(handler) {
  holdSignals();
  handle = handler;
  for (const signal of held.splice(0)) handler(signal);
}
