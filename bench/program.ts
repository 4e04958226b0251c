/** Finds programs that may not be installed. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folders of daemons, which PATH often lacks. */
const DAEMON_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...DAEMON_FOLDERS];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
