/**
 * Every setting, once. A row here is a flag (`--service-name`), an environment variable (`TOPONYM_SERVICE_NAME`) and a
 * key in `toponym.json` (`serviceName`); the first of these that is given wins, in that order, then the default.
 */
import { availableParallelism } from 'node:os';
import { type Cidr, parseCidr } from '../../access/address.ts';
import { urlRefusal } from '../../fetch/url-refusal.ts';
import { SERVICE_NAME } from '../../http/service-name.ts';

/** Reads a value as written; throws BadValue saying what would work. */
type Parse<T> = (text: string) => T;

export interface Setting<T> {
  readonly describe: string;
  /** Stands for the value in the help text; a switch has none. */
  readonly placeholder?: string;
  readonly parse: Parse<T>;
  /** As it would be written; undefined where the setting is off unless given. */
  readonly fallback: string | undefined;
  /** What the help text says of the default where `fallback` does not. */
  readonly fallbackText?: string;
  /** Whether the flag may be repeated. */
  readonly isList?: boolean;
}

/** What would have worked; the caller adds where the value came from. */
export class BadValue extends Error {}

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const SETTINGS = {
  host: {
    describe: 'address to listen on; unix:/path with --behind-proxy',
    placeholder: 'address',
    parse: nonEmpty,
    fallback: '127.0.0.1',
  },
  port: {
    describe: 'port to listen on; 0 picks a free one',
    placeholder: 'number',
    parse: integer(0, 65_535),
    fallback: '8443',
  },
  index: {
    describe: 'index file to answer from',
    placeholder: 'file',
    parse: optional(nonEmpty),
    fallback: undefined,
    fallbackText: 'the embedded data, indexed on the first start',
  },
  overlay: {
    describe: 'file of corrections and additions over the index',
    placeholder: 'file',
    parse: optional(nonEmpty),
    fallback: undefined,
    fallbackText: 'none',
  },
  watchSeconds: {
    describe: 'how often index and overlay are looked at for changes; 0 for never',
    placeholder: 'number',
    parse: integer(0, 86_400),
    fallback: '2',
  },
  allowShrunkenData: {
    describe: 'serve an index that is empty or has lost more than half of its places',
    parse: boolean,
    fallback: 'false',
  },
  state: {
    describe: 'folder for keys, certificate and downloaded data',
    placeholder: 'folder',
    parse: nonEmpty,
    fallback: 'state',
  },
  threads: {
    describe: 'threads that answer',
    placeholder: 'number',
    parse: integer(1, 512),
    fallback: String(availableParallelism()),
    fallbackText: 'one for each core',
  },
  tlsCert: {
    describe: 'certificate in PEM form, with its chain; needs --tls-key',
    placeholder: 'file',
    parse: optional(nonEmpty),
    fallback: undefined,
    fallbackText: 'made on the first start',
  },
  tlsKey: {
    describe: 'private key in PEM form; needs --tls-cert',
    placeholder: 'file',
    parse: optional(nonEmpty),
    fallback: undefined,
    fallbackText: 'made on the first start',
  },
  behindProxy: {
    describe: 'speak plain HTTP to a proxy on this machine that does TLS; loopback or Unix socket only',
    parse: boolean,
    fallback: 'false',
  },
  socketMode: {
    describe: 'permissions of the Unix socket, octal',
    placeholder: 'mode',
    parse: fileMode,
    fallback: '0660',
  },
  trustedProxies: {
    describe: 'addresses (CIDR, comma list) whose X-Forwarded-For is believed',
    placeholder: 'list',
    parse: list(cidr),
    isList: true,
    fallback: '',
    fallbackText: 'none',
  },
  serviceName: {
    describe: 'the name in the key header, X-<name>-Key',
    placeholder: 'name',
    parse: headerWord,
    fallback: 'Service',
  },
  ipDatabase: {
    describe: 'MaxMind DB files (comma list) that locate IP addresses, or "none"',
    placeholder: 'files',
    parse: optional(list(nonEmpty)),
    isList: true,
    fallback: undefined,
    fallbackText: 'the embedded DB-IP files',
  },
  metricsPort: {
    describe: 'port on 127.0.0.1 for GET /metrics; 0 picks a free one',
    placeholder: 'number',
    parse: optional(integer(0, 65_535)),
    fallback: undefined,
    fallbackText: 'off',
  },
  drainGraceSeconds: {
    describe: 'how long a stopping server goes on accepting while /readyz answers 503',
    placeholder: 'number',
    parse: integer(0, 3600),
    fallback: '0',
  },
  drainSeconds: {
    describe: 'how long a stopping server waits for running requests',
    placeholder: 'number',
    parse: integer(0, 3600),
    fallback: '10',
  },
  logLevel: {
    describe: `lowest level to log: ${LOG_LEVELS.join(', ')}`,
    placeholder: 'level',
    parse: oneOf(LOG_LEVELS),
    fallback: 'warn',
  },
  sourceUrl: {
    describe: 'where `update` downloads from: GeoNames or a mirror of its dump folder',
    placeholder: 'url',
    parse: folderUrl,
    fallback: 'https://download.geonames.org/export/dump/',
  },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingKey = keyof typeof SETTINGS;
/** Of the service; the others are for single commands. */
export const SERVE_SETTINGS = (Object.keys(SETTINGS) as SettingKey[]).filter((key) => key !== 'sourceUrl');
export type Settings = { readonly [K in SettingKey]: ReturnType<(typeof SETTINGS)[K]['parse']> };

/** `tlsCert` -> `--tls-cert` */
export function flagOf(key: string): string {
  return `--${dashed(key)}`;
}

/** `tlsCert` -> `TOPONYM_TLS_CERT` */
export function variableOf(key: string): string {
  return `TOPONYM_${dashed(key).replaceAll('-', '_').toUpperCase()}`;
}

function dashed(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function nonEmpty(text: string): string {
  if (text === '') throw new BadValue('must not be empty');
  return text;
}

/** Marks a setting that may be absent; a value that is given is read by `parse`. */
function optional<T>(parse: Parse<T>): (text: string) => T | undefined {
  return parse;
}

function integer(min: number, max: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new BadValue(`must be an integer from ${min} to ${max}`);
    return value;
  };
}

function fileMode(text: string): number {
  if (!/^0?[0-7]{3}$/.test(text)) throw new BadValue('must be three octal digits such as 0660');
  return Number.parseInt(text, 8);
}

function boolean(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new BadValue('must be true or false');
}

function oneOf<const T extends string>(values: readonly T[]): Parse<T> {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new BadValue(`must be one of ${values.join(', ')}`);
    return found;
  };
}

function list<T>(parse: Parse<T>): Parse<readonly T[]> {
  return (text) => (text === '' ? [] : text.split(',').map((item) => parse(item.trim())));
}

function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed === undefined) throw new BadValue('must list addresses or blocks such as 10.0.0.0/8, 2001:db8::/32');
  return parsed;
}

function headerWord(text: string): string {
  if (!SERVICE_NAME.test(text)) throw new BadValue('must be letters and digits, with single dashes inside, at most 64');
  return text;
}

/** With the slash at its end that makes names relative to it. */
function folderUrl(text: string): string {
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`);
  const refusal = url === null ? 'must be an address such as https://example.com/dump/' : urlRefusal(url);
  if (url === null || refusal !== undefined) throw new BadValue(refusal ?? '');
  return url.href;
}
