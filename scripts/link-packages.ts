/** Links the installed packages into a copy of the clone, which uses its own packages instead of those of the clone. */
import { mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

export function linkPackages(clone: string, copy: string): void {
  const target = join(copy, 'node_modules');
  mkdirSync(target);
  for (const entry of readdirSync(join(clone, 'node_modules'), { withFileTypes: true })) {
    const path = join(clone, 'node_modules', entry.name);
    // npm links our own packages by relative paths
    symlinkSync(entry.isSymbolicLink() ? readlinkSync(path) : path, join(target, entry.name));
  }
}
