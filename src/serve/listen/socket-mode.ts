/**
 * The permissions of a Unix socket. A socket is made with what the umask leaves, so a narrow umask is set before and the
 * mode after: the socket is never open to users that the mode excludes. A thread cannot set the umask, which belongs
 * to the process, so this runs in the main thread, around the listening of another.
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
