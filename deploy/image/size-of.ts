import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Size of all files below a folder, in bytes. A file with several names counts once. */
export function sizeOf(folder: string): number {
  const sizes = new Map<number, number>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const stats = lstatSync(join(entry.parentPath, entry.name));
    if (!stats.isDirectory()) sizes.set(stats.ino, stats.size);
  }
  return sizes.values().reduce((sum, size) => sum + size, 0);
}
