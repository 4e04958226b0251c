/** Programs that may or may not be on this machine. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where daemons live, which is not on everybody's PATH. */
const DAEMON_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...DAEMON_FOLDERS];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
