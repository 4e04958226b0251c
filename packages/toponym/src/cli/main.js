/**
 * Entry point of the `toponym` command. It enables the compile cache, then imports the rest of the
 * program. Why plain JavaScript: in a clone, TypeScript would load Node's type stripper (20 MB),
 * which cached code does not need; and an older Node.js must be able to print that it is too old.
 */
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { isNodeNewEnough, nodeTooOldMessage } from '../node-version.js';
import { holdSignals, ignoreDebuggerSignal } from './held-signals.js';
import { root } from './root.js';

ignoreDebuggerSignal();
// the service later handles the signals that arrive while the program is loading
const command = process.argv.slice(2).find((arg) => !arg.startsWith('-'));
if (command === 'serve' || command === 'demo') holdSignals();

if (isNodeNewEnough()) {
  nodeModule.enableCompileCache(fileURLToPath(new URL('.cache/toponym', nodeModulesFolder())));
  const commandLine = await loadCommandLine();
  const code = commandLine === undefined ? 1 : await commandLine.run(process.argv.slice(2));
  // a code of 0 must not overwrite the exit code that an output error has set (see print/output.ts)
  if (code !== 0) process.exitCode = code;
} else {
  console.error(`toponym: ${nodeTooOldMessage()} In a clone on Linux (x64, arm64), "npm start" installs one.`);
  process.exitCode = 1;
}

/**
 * The folder with the program's dependencies: in a clone, or around the installed package. The
 * compile cache is safe there: anyone who can write there can already change the program. If the
 * folder is read-only, there is no cache and starts are slower.
 */
function nodeModulesFolder() {
  const isInstalled = root.pathname.includes('/node_modules/');
  return new URL(isInstalled ? '../' : 'node_modules/', root);
}

/** Imports the rest of the program. If a package is missing, says so and returns undefined. */
async function loadCommandLine() {
  try {
    return await import('./command-line.ts');
  } catch (error) {
    if (!String(error).includes("Cannot find package '")) throw error;
    console.error(`toponym: the dependencies are not installed. Run "npm ci" in ${fileURLToPath(root)}`);
    return undefined;
  }
}
