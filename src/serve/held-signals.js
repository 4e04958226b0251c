/**
 * The first signal handlers of the process. Signals that arrive while the program is loading are
 * held until `receiveSignals` provides a handler. Plain JavaScript, because main.js loads it first.
 */
const SIGNALS = /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']);

/** @typedef {typeof SIGNALS[number]} ServiceSignal */

/** @type {ServiceSignal[]} */
const held = [];
/** @type {(signal: ServiceSignal) => void} */
let receive = (signal) => held.push(signal);
let isHolding = false;

/** Without a listener, SIGUSR1 opens the debugger of Node.js, and any local user can run code. */
export function ignoreDebuggerSignal() {
  process.on('SIGUSR1', () => {});
}

/** Keeps signals from ending the process. */
export function holdSignals() {
  if (isHolding) return;
  isHolding = true;
  for (const signal of SIGNALS) process.on(signal, () => receive(signal));
}

/**
 * Passes the held signals and all later ones to `receiver`.
 * @param {(signal: ServiceSignal) => void} receiver
 */
export function receiveSignals(receiver) {
  holdSignals();
  receive = receiver;
  for (const signal of held.splice(0)) receiver(signal);
}
