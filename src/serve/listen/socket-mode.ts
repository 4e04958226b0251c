/**
 * The permissions of a Unix socket. They can be set only once the socket exists; until then a umask
 * lets only the owner connect. Worker threads cannot set the umask, so the main thread does it
 * while a worker starts to listen.
 */
import { chmodSync } from 'node:fs';

const OWNER_ONLY_UMASK = 0o077;

export async function listenWithMode<T>(
  { path, mode }: { readonly path: string; readonly mode: number },
  listen: () => Promise<T>,
): Promise<T> {
  const umask = process.umask(OWNER_ONLY_UMASK);
  try {
    const result = await listen();
    chmodSync(path, mode);
    return result;
  } finally {
    process.umask(umask);
  }
}
