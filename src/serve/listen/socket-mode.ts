/**
 * The permissions of a Unix socket. A new socket has the permissions that the umask allows. So the
 * umask allows only the owner until the socket has its mode; nobody else can connect before that.
 * Worker threads cannot set the umask, so the main thread does it while a worker starts to listen.
 */
import { chmodSync } from 'node:fs';

const OWNER_ONLY_UMASK = 0o077;

export async function listenWithMode<T>(
  { path, mode }: { readonly path: string; readonly mode: number },
  listen: () => Promise<T>,
): Promise<T> {
  const umask = process.umask(OWNER_ONLY_UMASK);
  try {
    const listening = await listen();
    chmodSync(path, mode);
    return listening;
  } finally {
    process.umask(umask);
  }
}
