/** Whether the page at `/` is served. It lets everyone in who can connect, with a limit. */
import { UsageError } from '../../errors/usage-error.ts';
import { isLocalAddress, type ListenAddress } from '../listen/listen-address.ts';
import { hasPageFiles } from './page-files.ts';

export interface PageSettings {
  /** Undefined: only if nobody but this machine can connect. */
  readonly page: boolean | undefined;
  readonly behindProxy: boolean;
}

export function isPageServed(address: ListenAddress, { page, behindProxy }: PageSettings): boolean {
  if (page === true && !hasPageFiles()) {
    throw new UsageError('--page: the page has not been built. In a clone, run "node web/build.js".');
  }
  return page ?? (isLocalAddress(address) && !behindProxy && hasPageFiles());
}
