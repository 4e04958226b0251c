/**
 * Sets the permissions of a Unix socket once a worker listens on it. Until then, a umask lets only
 * the owner connect. Only the main thread can set the umask.
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
