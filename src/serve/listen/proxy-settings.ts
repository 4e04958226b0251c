/** The settings that concern proxies: checks them, and says what they mean for local clients. */
import { type Cidr, isInAny, peerAddress } from '../../access/address.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { Logger } from '../log.ts';
import { type ListenAddress, reachableHost } from './listen-address.ts';

export interface ProxySettings {
  readonly behindProxy: boolean;
  readonly trustedProxies: readonly Cidr[];
  readonly proxyProtocol: boolean;
}

/** Throws UsageError, and logs what is allowed but may be a mistake. */
export function checkProxySettings(settings: ProxySettings, log: Pick<Logger, 'warn'>): void {
  const { behindProxy, trustedProxies, proxyProtocol } = settings;
  if (trustedProxies.length > 0) {
    if (trustedProxies.some(({ prefixLength }) => prefixLength === 0))
      log.warn('--trusted-proxies includes every address: any client can pretend to have any other address');
    return;
  }
  if (proxyProtocol)
    throw new UsageError(
      '--proxy-protocol needs --trusted-proxies: name the proxies that send the header, such as 10.0.0.0/8 (127.0.0.1 for a Unix socket).',
    );
  if (behindProxy)
    log.warn(
      'every client seems to have the address of the proxy: name the proxy with --trusted-proxies (127.0.0.1 for a Unix socket)',
    );
}

/** How a client on this machine can call the service: as usual, with a PROXY header, or not at all. */
export type LocalAccess = 'direct' | 'with_header' | 'refused';

export function localAccess(address: ListenAddress, settings: ProxySettings): LocalAccess {
  const { behindProxy, trustedProxies, proxyProtocol } = settings;
  // a client has the address that it connects to
  const isTrusted = address.kind === 'unix' || isInAny(peerAddress(reachableHost(address.host)), trustedProxies);
  if (isTrusted) return proxyProtocol ? 'with_header' : 'direct';
  return behindProxy && trustedProxies.length > 0 ? 'refused' : 'direct';
}
