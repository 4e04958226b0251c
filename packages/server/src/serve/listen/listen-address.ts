/** The address to listen on, a host and port or a Unix socket, and what the settings about proxies mean for it. */
import { lookup } from 'node:dns/promises';
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer, isIPv6, type ListenOptions, type Server } from 'node:net';
import { type Cidr, isInAny, isWideBlock, peerAddress } from 'toponym-access/address';
import { errorReason, UsageError } from 'toponym-files/errors/errors';
import type { Logger } from '../log.ts';

export interface TcpAddress {
  readonly kind: 'tcp';
  readonly host: string;
  readonly port: number;
}

export type ListenAddress = TcpAddress | { readonly kind: 'unix'; readonly path: string; readonly mode: number };

export interface AddressSettings {
  readonly host: string;
  readonly port: number;
  readonly behindProxy: boolean;
  readonly trustedProxies: readonly Cidr[];
  readonly socketMode: number;
}

/** Another program listens there, or may do so. */
export class AddressInUseError extends UsageError {}

const UNIX_PREFIX = 'unix:';

/** Checks that the address is free. Deletes a killed server's socket file. Throws UsageError. */
export async function prepareAddress(settings: AddressSettings): Promise<ListenAddress> {
  const address = await resolveAddress(settings);
  if (address.kind === 'tcp') await checkPortIsFree(address.host, address.port);
  else if ((await checkSocketIsFree(address.path)) === 'stale') unlinkSync(address.path);
  return address;
}

/** Refuses plain HTTP beyond this machine, unless it is for trusted proxies. Throws UsageError. */
export async function resolveAddress(settings: AddressSettings): Promise<ListenAddress> {
  const { host, port, behindProxy, trustedProxies, socketMode } = settings;
  if (host.includes('\0')) throw new UsageError(`--host ${JSON.stringify(host)} must not contain a NUL character.`);
  if (host.startsWith(UNIX_PREFIX)) {
    const path = host.slice(UNIX_PREFIX.length);
    if (path === '') throw new UsageError('--host unix: needs a path, such as unix:/run/toponym.sock.');
    if (!behindProxy)
      throw new UsageError(`--host ${host}: a Unix socket needs --behind-proxy, which serves plain HTTP.`);
    return { kind: 'unix', path, mode: socketMode };
  }
  const address = await resolveHost(host);
  if (behindProxy && !isLoopback(address) && trustedProxies.length === 0) {
    throw new UsageError(
      `--behind-proxy serves plain HTTP, so --host ${host} needs --trusted-proxies with the addresses of your proxies, such as 10.0.0.0/8. Without it, --host must be 127.0.0.1, ::1 or unix:/path.`,
    );
  }
  const wideBlock = trustedProxies.find(isWideBlock);
  if (behindProxy && !isLoopback(address) && wideBlock !== undefined) {
    throw new UsageError(
      `--behind-proxy serves plain HTTP to all --trusted-proxies, so ${wideBlock.text} is too large a block for --host ${host}. Name the addresses of your proxies: at most a /8 block of IPv4, such as 10.0.0.0/8, or a /7 block of IPv6.`,
    );
  }
  return { kind: 'tcp', host: address, port };
}

/** The URL for a client on this machine: wildcard hosts become loopback. */
export function urlOf(address: ListenAddress, isTls: boolean): string {
  if (address.kind === 'unix') return `${UNIX_PREFIX}${address.path}`;
  const [reachable = address.host] = localHosts(address.host);
  const host = isIPv6(reachable) ? `[${reachable}]` : reachable;
  return `${isTls ? 'https' : 'http'}://${host}:${address.port}`;
}

/** The hosts for a client on this machine, the preferred one first. */
export function localHosts(host: string): readonly string[] {
  // Node accepts both families on ::
  return host === '0.0.0.0' ? ['127.0.0.1'] : host === '::' ? ['::1', '127.0.0.1'] : [host];
}

export async function resolveHost(host: string, flag = '--host'): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch (error) {
    throw new UsageError(`${flag} ${host} cannot be resolved to an address: ${errorReason(error)}.`, { cause: error });
  }
}

/** Whether nobody but this machine can connect. */
export function isLocalAddress(address: ListenAddress): boolean {
  return address.kind === 'unix' || isLoopback(address.host);
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/** Whether two listeners would have the same port on some address. */
export function isSamePort(a: ListenAddress, b: ListenAddress): boolean {
  if (a.kind === 'unix' || b.kind === 'unix' || a.port === 0 || a.port !== b.port) return false;
  return a.host === b.host || WILDCARDS.includes(a.host) || WILDCARDS.includes(b.host);
}

/**
 * Returns the port, a free one for 0. Throws UsageError if the service cannot listen there. The probe
 * must not set `reusePort`: it would succeed beside another server that also sets it.
 */
export async function checkPortIsFree(host: string, port: number, flags?: AddressFlags): Promise<number> {
  const probe = createServer();
  try {
    await startListening(probe, { host, port });
  } catch (error) {
    throw listenError(error, `${host} port ${port}`, flags);
  }
  const bound = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return bound.port;
}

/**
 * Throws UsageError unless the path is free or has a socket that refuses connections, whose server was
 * killed. Other errors may come from a busy server.
 */
export async function checkSocketIsFree(path: string): Promise<'missing' | 'stale'> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'missing';
  if (!stat.isSocket())
    throw new UsageError(`${path} exists and is not a socket; choose another path for --host unix:.`);
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | undefined>();
  const probe = connect(path, () => resolve(undefined)).once('error', resolve);
  const error = await promise;
  probe.destroy();
  if (error === undefined) throw new AddressInUseError(`The Unix socket ${path} is in use by another program.`);
  if (error.code === 'ENOENT') return 'missing'; // deleted in the meantime
  if (error.code === 'ECONNREFUSED') return 'stale';
  const advice = 'stop that program, or delete the file if no program uses it, or choose another path for --host unix:';
  throw new AddressInUseError(
    `The Unix socket ${path} may be in use by another program (${errorReason(error)}); ${advice}.`,
    { cause: error },
  );
}

/** The settings of an address, for messages. */
const MAIN_FLAGS = { host: '--host', port: '--port' };
type AddressFlags = typeof MAIN_FLAGS;

/** Why a server cannot listen, and what to change. */
export function listenErrorText(error: unknown, where: string, flags = MAIN_FLAGS): string {
  const reasons: Record<string, string> = {
    EADDRINUSE: `${where} is in use by another program; stop that program, or choose another port with ${flags.port} (0 picks a free one).`,
    EACCES: `Listening on ${where} needs more permissions; choose a ${flags.port} above 1023.`,
    EADDRNOTAVAIL: `${where}: this machine does not have that address; choose another address with ${flags.host}.`,
  };
  const { code = '' } = error as NodeJS.ErrnoException;
  return reasons[code] ?? `Cannot listen on ${where}: ${errorReason(error)}.`;
}

function listenError(error: unknown, where: string, flags?: AddressFlags): UsageError {
  const { code } = error as NodeJS.ErrnoException;
  const message = listenErrorText(error, where, flags);
  return new (code === 'EADDRINUSE' && flags === undefined ? AddressInUseError : UsageError)(message, { cause: error });
}

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
      `--trusted-proxies includes ${wideBlock.text}: any client in that block can pretend to have any other address`,
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

/** Where a client on this machine can call the service, and whether it must send a PROXY header. */
export function localAccess(address: ListenAddress, settings: ProxySettings) {
  const { behindProxy, trustedProxies, proxyProtocol } = settings;
  if (address.kind === 'unix') return { address, hasProxyHeader: proxyProtocol };
  const isOpen = !behindProxy || trustedProxies.length === 0;
  // a client has the address that it connects to
  const isTrusted = (host: string) => isInAny(peerAddress(host), trustedProxies);
  const host = localHosts(address.host).find((each) => isOpen || isTrusted(each));
  if (host === undefined) return undefined; // only other machines can call it
  return { address: { ...address, host }, hasProxyHeader: proxyProtocol && isTrusted(host) };
}

/** Resolves when the server listens; rejects if it cannot. */
export async function startListening(server: Server, options: ListenOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(options, resolve);
  await promise;
  server.off('error', reject);
}

const OWNER_ONLY_UMASK = 0o077;

/**
 * Sets the permissions of a Unix socket once a worker listens on it. Until then, a umask lets only
 * the owner connect. Only the main thread can set the umask.
 */
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
