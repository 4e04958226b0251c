/** Which adapters are on, where they listen, and who may call them over plain HTTP. */
import { type Cidr, isCidrIn, parseCidr } from 'toponym-access/address';
import { UsageError } from 'toponym-files/errors/errors';

/** Of two adapters with the same path, the earlier one gets the calls that its `ownParameters` match. */
export const ADAPTER_NAMES = ['places', 'nominatim', 'photon'] as const;
export type AdapterName = (typeof ADAPTER_NAMES)[number];

export interface CompatSettings {
  readonly compat: readonly AdapterName[];
  /** Where the adapters, and nothing else, also listen over plain HTTP. */
  readonly compatListen: HttpAddress | undefined;
  /** Who may call that listener. */
  readonly compatFrom: readonly Cidr[] | undefined;
  /** Whether its callers need no key. */
  readonly compatOpen: boolean;
  /** Names by which callers without a key may call that listener, apart from addresses and localhost. */
  readonly compatHosts: readonly string[];
}

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
}

/** Loopback, private and link-local addresses. */
export const PRIVATE_BLOCKS: readonly Cidr[] = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
].map((block) => parseCidr(block)!);

/** Parses `http://127.0.0.1:2322`. Returns undefined if the text is anything else. */
export function parseHttpAddress(text: string): HttpAddress | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' || url.href !== `${url.origin}/`) return undefined;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 80) };
}

const MAX_HOST_LENGTH = 300;

/** The name or address in a Host header, as URLs write it. Undefined if there is none. */
export function parseHost(text: string): string | undefined {
  if (text.length > MAX_HOST_LENGTH || /[/?#@\\]/.test(text)) return undefined;
  return URL.parse(`http://${text}`)?.hostname.replace(/^\[|\]$|\.$/g, '');
}

/** Parses a name such as `geocoder.lan`, without a port. Returns undefined if the text is anything else. */
export function parseHostName(text: string): string | undefined {
  return /[:*]/.test(text) ? undefined : parseHost(text);
}

/** Throws UsageError if the settings contradict each other. */
export function checkCompatSettings(settings: CompatSettings): void {
  const { compat, compatListen, compatFrom, compatOpen, compatHosts } = settings;
  if (compatListen !== undefined && compat.length === 0) {
    throw new UsageError(`--compat-listen needs --compat with some of ${ADAPTER_NAMES.join(', ')}.`);
  }
  const flag = compatOpen ? '--compat-open' : '--compat-from';
  if ((compatOpen || compatFrom !== undefined) && compatListen === undefined) {
    throw new UsageError(`${flag} needs --compat-listen with an address such as http://192.168.1.2:2322.`);
  }
  if (compatHosts.length > 0 && !compatOpen) {
    throw new UsageError('--compat-hosts needs --compat-open: with a key, callers may use any name.');
  }
}

/** Logs settings that are allowed but may be a mistake. */
export function warnOfCompatSettings(
  { compatFrom = [], compatOpen }: CompatSettings,
  log: { readonly warn: (message: string) => void },
): void {
  const publicBlocks = compatFrom.filter((block) => !PRIVATE_BLOCKS.some((other) => isCidrIn(block, other)));
  if (!compatOpen || publicBlocks.length === 0) return;
  log.warn(
    `--compat-open answers without a key, and --compat-from includes ${publicBlocks.map(({ text }) => text).join(', ')}: anyone at these public addresses can use the service`,
  );
}
