/** The number of worker threads that the address and the platform allow. */
import type { ListenAddress } from '../listen/listen-address.ts';
import type { Logger } from '../log.ts';

/** Platforms whose kernel distributes connections over several listeners on one port. */
const PORT_SHARING_PLATFORMS: readonly string[] = ['linux', 'freebsd', 'dragonfly', 'sunos', 'aix'];

export function usableThreads(threads: number, kind: ListenAddress['kind'], log: Logger): number {
  if (threads === 1) return 1;
  if (kind === 'unix') {
    log.info('a Unix socket is served by one thread');
    return 1;
  }
  if (PORT_SHARING_PLATFORMS.includes(process.platform)) return threads;
  log.warn(`threads cannot share a port on ${process.platform}: using one thread`);
  return 1;
}
