/**
 * The permissions of a Unix socket. A socket is created with the permissions that the umask allows,
 * so the umask is narrowed until the mode is set: users that the mode excludes never have access.
 * Worker threads cannot set the umask, so the main thread does it while a worker starts to listen.
 */
import { chmodSync } from 'node:fs';

export interface SocketFile {
  readonly path: string;
  readonly mode: number;
}

const OWNER_ONLY_UMASK = 0o077;

export async function listenWithMode<T>({ path, mode }: SocketFile, listen: () => Promise<T>): Promise<T> {
  const umask = process.umask(OWNER_ONLY_UMASK);
  try {
    const listening = await listen();
    chmodSync(path, mode);
    return listening;
  } finally {
    process.umask(umask);
  }
}
