/**
 * Entry point of the `toponym` command. It enables the compile cache before it imports the rest of
 * the program. Two reasons for plain JavaScript: TypeScript would load Node's type stripper (20 MB)
 * before the cache is on, and an older Node.js must be able to print that it is too old.
 */
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { holdSignals, ignoreDebuggerSignal } from '../serve/held-signals.js';
import { isNodeNewEnough, nodeTooOldMessage } from './node-version.js';

ignoreDebuggerSignal();
// a signal that arrives while the program is loading is handled by the service later
if (process.argv[2] === 'serve') holdSignals();

const root = new URL('../../', import.meta.url);

if (isNodeNewEnough()) {
  // node_modules is a safe place: anyone who can write there can already change the program. If it
  // is read-only, starts are just slower.
  nodeModule.enableCompileCache(fileURLToPath(new URL('node_modules/.cache/toponym', root)));
  const commandLine = await loadCommandLine();
  const code = commandLine === undefined ? 1 : await commandLine.run(process.argv.slice(2));
  // a code of 0 must not overwrite the exit code of an output error
  if (code !== 0) process.exitCode = code;
} else {
  console.error(`toponym: ${nodeTooOldMessage()} "npm start" and "npx toponym" install one on Linux (x64, arm64).`);
  process.exitCode = 1;
}

/** Prints a message and returns undefined if the dependencies are not installed. */
async function loadCommandLine() {
  try {
    return await import('./command-line.ts');
  } catch (error) {
    if (!String(error).includes("Cannot find package '")) throw error;
    console.error(`toponym: the dependencies are not installed. Run "npm ci" in ${fileURLToPath(root)}`);
    return undefined;
  }
}
