/**
 * The `toponym` command. Enables the compile cache before it loads anything else. Plain JavaScript, because loading this
 * file as TypeScript would bring Node's type stripper (20 MB) in before the cache is on, and because an older Node.js
 * must be able to say that it is too old.
 */
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { holdSignals, ignoreDebuggerSignal } from '../serve/held-signals.js';
import { isNodeNewEnough, nodeTooOld } from './node-version.js';

ignoreDebuggerSignal();
if (process.argv[2] === 'serve') holdSignals();

const root = new URL('../../', import.meta.url);

if (isNodeNewEnough()) {
  // in node_modules: whoever can write there can change the program itself. An unwritable folder only makes starts slower
  nodeModule.enableCompileCache(fileURLToPath(new URL('node_modules/.cache/toponym', root)));
  const commandLine = await loadCommandLine();
  const code = commandLine === undefined ? 1 : await commandLine.run(process.argv.slice(2));
  // 0 must not hide that the output could not be written
  if (code !== 0) process.exitCode = code;
} else {
  console.error(`toponym: ${nodeTooOld()} "npm start" and "npx toponym" bring one on Linux (x64, arm64).`);
  process.exitCode = 1;
}

/** Undefined, with a message, where the dependencies are not installed. */
async function loadCommandLine() {
  try {
    return await import('./command-line.ts');
  } catch (error) {
    if (!String(error).includes("Cannot find package '")) throw error;
    console.error(`toponym: the dependencies are not installed. Run "npm ci" in ${fileURLToPath(root)}`);
    return undefined;
  }
}
