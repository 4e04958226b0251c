/**
 * The permissions of a Unix socket. The umask decides them when the socket is created, so a narrow
 * umask is set before and the mode after: users that the mode excludes never have access. Worker
 * threads cannot set the umask, so the main thread does it while a worker listens.
 */
import { chmodSync } from 'node:fs';

export interface SocketFile {
  readonly path: string;
  readonly mode: number;
}

const OWNER_ONLY_UMASK = 0o077;

export async function listenPrivately<T>({ path, mode }: SocketFile, listen: () => Promise<T>): Promise<T> {
  const umask = process.umask(OWNER_ONLY_UMASK);
  try {
    const listening = await listen();
    chmodSync(path, mode);
    return listening;
  } finally {
    process.umask(umask);
  }
}
