/**
 * The first signal handlers of the process. Signals that arrive while the program is still loading are held until
 * `receiveSignals` says who handles them. Plain JavaScript, because main.js loads this file before anything else.
 */
const SIGNALS = /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']);

/** @typedef {typeof SIGNALS[number]} ServiceSignal */

/** @type {ServiceSignal[]} */
const held = [];
/** @type {(signal: ServiceSignal) => void} */
let receive = (signal) => held.push(signal);
let isHolding = false;

/** Without a listener, SIGUSR1 makes Node.js open its debugger, through which any local user could run code. */
export function ignoreDebuggerSignal() {
  process.on('SIGUSR1', () => {});
}

/** From now on the signals to the service no longer end the process. */
export function holdSignals() {
  if (isHolding) return;
  isHolding = true;
  for (const signal of SIGNALS) process.on(signal, () => receive(signal));
}

/**
 * Hands over the signals that were held, and every later one.
 * @param {(signal: ServiceSignal) => void} receiver
 */
export function receiveSignals(receiver) {
  holdSignals();
  receive = receiver;
  for (const signal of held.splice(0)) receiver(signal);
}
