/** Which adapters are on, where they listen, and who may call them over plain HTTP. */
import { type Cidr, parseCidr } from '../access/address.ts';
import { UsageError } from '../errors/errors.ts';

/** Where two adapters have the same path, the earlier one is asked first whether it is meant. */
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

/** Throws UsageError if the settings contradict each other. */
export function checkCompatSettings({ compat, compatListen, compatFrom, compatOpen }: CompatSettings): void {
  if (compatListen !== undefined && compat.length === 0) {
    throw new UsageError(`--compat-listen needs --compat with some of ${ADAPTER_NAMES.join(', ')}.`);
  }
  const flag = compatOpen ? '--compat-open' : '--compat-from';
  if ((compatOpen || compatFrom !== undefined) && compatListen === undefined) {
    throw new UsageError(`${flag} needs --compat-listen with an address such as http://192.168.1.2:2322.`);
  }
}
