/** The settings that concern proxies: checks them, and says what they mean for local clients. */
import { type Cidr, formatCidr, isInAny, isWideBlock, peerAddress } from '../../access/address.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { Logger } from '../log.ts';
import { type ListenAddress, localHosts } from './listen-address.ts';

export interface ProxySettings {
  readonly behindProxy: boolean;
  readonly trustedProxies: readonly Cidr[];
  readonly proxyProtocol: boolean;
}

/** Throws UsageError. */
export function checkProxySettings({ trustedProxies, proxyProtocol }: ProxySettings): void {
  if (proxyProtocol && trustedProxies.length === 0)
    throw new UsageError(
      '--proxy-protocol needs --trusted-proxies: name the proxies that send the header, such as 10.0.0.0/8 (127.0.0.1 for a Unix socket).',
    );
}

/** Logs settings that are allowed but may be a mistake. */
export function warnOfProxySettings(address: ListenAddress, settings: ProxySettings, log: Pick<Logger, 'warn'>): void {
  const { behindProxy, trustedProxies, proxyProtocol } = settings;
  const wideBlock = trustedProxies.find(isWideBlock);
  if (wideBlock !== undefined)
    log.warn(
      `--trusted-proxies includes ${formatCidr(wideBlock)}: any client in that block can pretend to have any other address`,
    );
  if (behindProxy && trustedProxies.length === 0)
    log.warn(
      'every client seems to have the address of the proxy: name the proxy with --trusted-proxies (127.0.0.1 for a Unix socket)',
    );
  else if (address.kind === 'unix' && !proxyProtocol && !isInAny(peerAddress(undefined), trustedProxies))
    log.warn(
      'every client seems to have the address 127.0.0.1, which the proxy has on a Unix socket: add 127.0.0.1 to --trusted-proxies',
    );
}

/** How a client on this machine can call the service. */
interface LocalAccess {
  readonly address: ListenAddress;
  /** Whether the client must send a PROXY header. */
  readonly hasProxyHeader: boolean;
}

/** Returns undefined if only other machines can call the service. */
export function localAccess(address: ListenAddress, settings: ProxySettings): LocalAccess | undefined {
  const { behindProxy, trustedProxies, proxyProtocol } = settings;
  if (address.kind === 'unix') return { address, hasProxyHeader: proxyProtocol };
  const isOpen = !behindProxy || trustedProxies.length === 0;
  // a client has the address that it connects to
  const isTrusted = (host: string) => isInAny(peerAddress(host), trustedProxies);
  const host = localHosts(address.host).find((each) => isOpen || isTrusted(each));
  if (host === undefined) return undefined;
  return { address: { ...address, host }, hasProxyHeader: proxyProtocol && isTrusted(host) };
}
