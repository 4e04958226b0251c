/** The build context: the files that the .dockerignore file lets the Dockerfile see. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from './run-command.ts';

/** Copies the context from `source` to `target`, which must not exist. */
export async function copyContext(source: string, ignoreFile: string, target: string): Promise<void> {
  mkdirSync(target);
  for (const path of parseIgnoreFile(readFileSync(ignoreFile, 'utf8'))) {
    if (!existsSync(join(source, path))) throw new Error(`${ignoreFile} names ${path}, which does not exist.`);
    mkdirSync(dirname(join(target, path)), { recursive: true });
    await runCommand(['cp', '--archive', '--no-target-directory', join(source, path), join(target, path)]);
  }
}

/** Returns the paths of the context. The file must exclude everything else with `*`. */
export function parseIgnoreFile(text: string): string[] {
  const [first, ...rest] = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const wrong = first === '*' ? rest.find((line) => !/^![\w./-]+$/.test(line)) : (first ?? 'an empty file');
  if (wrong !== undefined) throw new Error(`.dockerignore must be "*" and then lines such as "!src", got ${wrong}.`);
  return rest.map((line) => line.slice(1));
}
