/**
 * The `toponym` command. Keeps compiled code between runs, and so must load everything else after it has said so. Plain
 * JavaScript: for this one file, which comes before that, Node would load all it needs to read TypeScript, some 20 MB.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// beside the packages: whoever may write there may change the program itself. Where it cannot be written, code is compiled anew
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/toponym', import.meta.url)));

const { run } = await import('./command-line.ts');
const code = await run(process.argv.slice(2));
// 0 must not hide that the output could not be written
if (code !== 0) process.exitCode = code;
