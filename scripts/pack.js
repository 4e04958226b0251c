/**
 * Packs what is published: `npm run pack -- --out FOLDER` writes toponym-VERSION.tgz, toponym-client-VERSION.tgz and
 * toponym-engine-VERSION.tgz into the folder, which it creates, and prints their paths.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

try {
  const { values } = parseArgs({ options: { out: { type: 'string', default: '.' } } });
  // npm runs scripts in the root; the folder is relative to where the user is
  const out = resolve(process.env.INIT_CWD ?? '.', values.out);
  mkdirSync(out, { recursive: true });
  // "npm run pack" has run "prepack" already, which builds the package of the root
  for (const args of [['--ignore-scripts'], ['./packages/client'], ['./packages/engine/published']]) {
    const words = ['pack', '--loglevel=error', '--pack-destination', out, ...args];
    const printed = execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    console.log(join(out, printed.trim().split('\n').at(-1) ?? ''));
  }
} catch (error) {
  console.error(`Nothing was packed: ${/** @type {Error} */ (error).message}. Usage: npm run pack -- --out FOLDER`);
  process.exitCode = 1;
}
