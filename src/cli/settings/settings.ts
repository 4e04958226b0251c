/**
 * The table of all settings. A row is a flag (`--service-name`), an environment variable
 * (`TOPONYM_SERVICE_NAME`) and a key in `toponym.json` (`serviceName`), in order of precedence.
 */

import { isIPv6 } from 'node:net';
import { availableParallelism } from 'node:os';
import { type Cidr, parseCidr } from '../../access/address.ts';
import { MAX_PER_MINUTE } from '../../access/keys/key-record.ts';
import { DEFAULT_PER_MINUTE } from '../../access/limits/rate-limiter.ts';
import { parseRedisMode, parseRedisUrl, type RedisMode, type RedisNode } from '../../access/redis/redis-connection.ts';
import { isIndexUrl } from '../../datasets/index-choice.ts';
import { urlRefusal } from '../../fetch/urls.ts';
import { SERVICE_NAME_PATTERN } from '../../http/headers.ts';

/** Parses a value as the user wrote it. Throws BadValue. */
type Parse<T> = (text: string) => T;

export interface Setting<T> {
  readonly description: string;
  /** Shown in the help text. A switch has none. */
  readonly placeholder?: string;
  readonly parse: Parse<T>;
  /** The default as a user would write it. */
  readonly defaultText?: string;
  /** Replaces `defaultText` in the help text. */
  readonly defaultDescription?: string;
  readonly isList?: boolean;
  /** Whether there is also `--no-NAME`, because the default may be on. */
  readonly hasNegation?: boolean;
  /** Whether there is no flag, because every user of the machine could read its value. */
  readonly isSecret?: boolean;
  /** Why this value must not be given as a flag; undefined if it may. */
  readonly flagRefusal?: (text: string) => string | undefined;
}

/** An invalid value. The message says which values are valid. */
export class BadValue extends Error {
  /** The valid values, if they are a fixed list. */
  readonly choices: readonly string[];

  constructor(message: string, choices: readonly string[] = []) {
    super(message);
    this.choices = choices;
  }
}

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const PASSWORD_IN_FLAG = 'a password on the command line can be read by every user of the machine';

export const SETTINGS = {
  host: {
    description: 'address to listen on; unix:/path with --behind-proxy',
    placeholder: 'address',
    parse: host,
    defaultText: '127.0.0.1',
  },
  port: {
    description: 'port to listen on; 0 picks a free one',
    placeholder: 'number',
    parse: integer(0, 65_535),
    defaultText: '8443',
  },
  index: {
    description: 'index file to search, or "embedded" for the embedded data; `serve` also takes an https URL',
    placeholder: 'file',
    parse: optional(indexLocation),
    flagRefusal: (text) =>
      /^[^/]*:\/\/[^/?#]*:[^/?#]*@/.test(text)
        ? `${PASSWORD_IN_FLAG}; put the URL into TOPONYM_INDEX or the configuration file`
        : undefined,
    defaultDescription: 'the index of `toponym update` in the state folder, else the embedded data',
  },
  overlay: {
    description: 'file of corrections and additions to the index',
    placeholder: 'file',
    parse: optional(nonEmpty),
    defaultDescription: 'none',
  },
  watchSeconds: {
    description: 'seconds between checks of index, overlay and TLS files for changes; 0 to disable',
    placeholder: 'number',
    parse: optional(integer(0, 86_400)),
    defaultDescription: '1 for files, 60 for the URL of an index',
  },
  allowShrunkenData: {
    description: 'serve an index that is empty or has lost more than half of its places',
    parse: boolean,
    defaultText: 'false',
  },
  state: {
    description: 'folder for keys, certificate and downloaded data',
    placeholder: 'folder',
    parse: nonEmpty,
    defaultText: 'state',
  },
  threads: {
    description: 'number of worker threads',
    placeholder: 'number',
    parse: integer(1, 512),
    defaultText: String(availableParallelism()),
    defaultDescription: 'one per core',
  },
  tlsCert: {
    description: 'certificate in PEM form, with its chain; needs --tls-key',
    placeholder: 'file',
    parse: optional(nonEmpty),
    defaultDescription: 'generated on the first start',
  },
  tlsKey: {
    description: 'private key in PEM form; needs --tls-cert',
    placeholder: 'file',
    parse: optional(nonEmpty),
    defaultDescription: 'generated on the first start',
  },
  tlsClientCa: {
    description: 'certificates of authorities in PEM form: only clients with a certificate of one of them can connect',
    placeholder: 'file',
    parse: optional(nonEmpty),
    defaultDescription: 'clients need no certificate',
  },
  hstsSeconds: {
    description: 'max-age of Strict-Transport-Security, sent only with a certificate of an authority',
    placeholder: 'number',
    parse: integer(0, 63_072_000),
    defaultText: '15552000',
  },
  behindProxy: {
    description: 'serve plain HTTP to a TLS proxy; beyond loopback and Unix sockets it needs --trusted-proxies',
    parse: boolean,
    defaultText: 'false',
  },
  page: {
    description: 'serve the page with a search box and a map at /, which needs no key',
    parse: optional(boolean),
    hasNegation: true,
    defaultDescription: 'on if --host is a loopback address and there is no --behind-proxy',
  },
  socketMode: {
    description: 'permissions of the Unix socket, octal',
    placeholder: 'mode',
    parse: fileMode,
    defaultText: '0660',
  },
  trustedProxies: {
    description: 'addresses or CIDR blocks (comma-separated) of proxies that may tell the client address',
    placeholder: 'list',
    parse: list(cidr),
    isList: true,
    defaultText: '',
    defaultDescription: 'none',
  },
  proxyProtocol: {
    description: 'trusted proxies begin each connection with a PROXY protocol header, version 1 or 2',
    parse: boolean,
    defaultText: 'false',
  },
  callsPerMinute: {
    description: 'calls that an address may make in any 60 seconds, unless its key has a limit of its own',
    placeholder: 'number',
    parse: integer(1, MAX_PER_MINUTE),
    defaultText: String(DEFAULT_PER_MINUTE),
  },
  redis: {
    description: 'Redis or Valkey for the keys and limits of many machines, such as redis://host:6379; comma-separated',
    placeholder: 'urls',
    parse: optional(list(redisUrl)),
    isList: true,
    flagRefusal: (text) =>
      /:\/\/[^@,]*:[^@,]*@/.test(text)
        ? `${PASSWORD_IN_FLAG}; use TOPONYM_REDIS_PASSWORD, --redis-password-file, or the URL in TOPONYM_REDIS`
        : undefined,
    defaultDescription: 'none: keys and limits of this machine alone',
  },
  redisMode: {
    description: 'standalone, cluster, or sentinel:NAME with the URLs of sentinels',
    placeholder: 'mode',
    parse: redisMode,
    defaultText: 'standalone',
  },
  redisPassword: {
    description: 'password of Redis',
    isSecret: true,
    parse: optional(nonEmpty),
    defaultDescription: 'that of --redis-password-file or of the URL',
  },
  redisPasswordFile: {
    description: 'file with the password of Redis',
    placeholder: 'file',
    parse: optional(nonEmpty),
    defaultDescription: 'none; TOPONYM_REDIS_PASSWORD works too',
  },
  redisCa: {
    description: 'authorities in PEM form that sign the certificate of Redis, for rediss:// URLs',
    placeholder: 'file',
    parse: optional(nonEmpty),
    defaultDescription: 'those of Node.js',
  },
  redisPrefix: {
    description: 'first part of all names in Redis; services with the same prefix share keys and limits',
    placeholder: 'name',
    parse: redisPrefix,
    defaultText: 'toponym',
  },
  serviceName: {
    description: 'name in the key header, X-<name>-Key',
    placeholder: 'name',
    parse: serviceName,
    defaultText: 'Service',
  },
  ipDatabase: {
    description: 'MaxMind DB files (comma-separated) that locate IP addresses, or "none"',
    placeholder: 'files',
    parse: optional(list(nonEmpty)), // "none" becomes ['none']: see `selectIpDatabases`
    isList: true,
    defaultDescription: 'the embedded DB-IP files',
  },
  metricsPort: {
    description: 'port for GET /metrics, /healthz and /readyz over plain HTTP; 0 picks a free one',
    placeholder: 'number',
    parse: optional(integer(0, 65_535)),
    defaultDescription: 'off',
  },
  metricsHost: {
    description: 'address that --metrics-port listens on',
    placeholder: 'address',
    parse: host,
    defaultText: '127.0.0.1',
  },
  drainGraceSeconds: {
    description: 'seconds a stopping server still accepts requests while /readyz returns 503',
    placeholder: 'number',
    parse: integer(0, 3600),
    defaultText: '0',
  },
  drainSeconds: {
    description: 'seconds a stopping server waits for running requests',
    placeholder: 'number',
    parse: integer(0, 3600),
    defaultText: '10',
  },
  logLevel: {
    description: `minimum level to log: ${LOG_LEVELS.join(', ')}`,
    placeholder: 'level',
    parse: oneOf(LOG_LEVELS),
    defaultText: 'warn',
  },
  sourceUrl: {
    description: 'URL that `update` downloads from: GeoNames or a mirror of its dump folder',
    placeholder: 'url',
    parse: folderUrl,
    defaultText: 'https://download.geonames.org/export/dump/',
  },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingKey = keyof typeof SETTINGS;
/** The settings of commands that manage keys. */
export const KEY_SETTINGS = [
  'state',
  'redis',
  'redisMode',
  'redisPassword',
  'redisPasswordFile',
  'redisCa',
  'redisPrefix',
] as const satisfies readonly SettingKey[];
/** All settings except `sourceUrl`, which only `toponym update` uses. */
export const SERVE_SETTINGS = (Object.keys(SETTINGS) as SettingKey[]).filter((key) => key !== 'sourceUrl');
export type Settings = { readonly [K in SettingKey]: ReturnType<(typeof SETTINGS)[K]['parse']> };

/** `tlsCert` -> `--tls-cert` */
export function flagFor(key: string): string {
  return `--${kebabCase(key)}`;
}

/** `tlsCert` -> `TOPONYM_TLS_CERT` */
export function variableFor(key: string): string {
  return `TOPONYM_${kebabCase(key).replaceAll('-', '_').toUpperCase()}`;
}

function kebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function nonEmpty(text: string): string {
  if (text === '') throw new BadValue('must not be empty');
  return text;
}

/** Removes the brackets of `[::1]`, which belong to URLs. */
function host(text: string): string {
  const inner = /^\[(.*)\]$/.exec(text)?.[1];
  return inner !== undefined && isIPv6(inner) ? inner : nonEmpty(text);
}

/** Adds undefined to the type, for a setting without a default. */
function optional<T>(parse: Parse<T>): Parse<T | undefined> {
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
  if (!/^0?[0-7]{3}$/.test(text))
    throw new BadValue('must be three octal digits, with or without a leading zero, such as 660 or 0660');
  return Number.parseInt(text, 8);
}

function boolean(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new BadValue('must be true or false', ['true', 'false']);
}

function oneOf<const T extends string>(values: readonly T[]): Parse<T> {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new BadValue(`must be one of ${values.join(', ')}`, values);
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

function redisUrl(text: string): RedisNode {
  const node = parseRedisUrl(text);
  if (node === undefined) {
    const example = 'redis://127.0.0.1:6379 or rediss://user@host:6380/0';
    throw new BadValue(`must be URLs such as ${example}, with % in a password written as %25`);
  }
  return node;
}

function redisMode(text: string): RedisMode {
  const mode = parseRedisMode(text);
  if (mode === undefined) throw new BadValue('must be standalone, cluster or sentinel:NAME', ['standalone', 'cluster']);
  return mode;
}

/** Braces would change the slot of a name in a cluster. */
function redisPrefix(text: string): string {
  if (!/^[\w.:-]{1,64}$/.test(text))
    throw new BadValue('must be 1 to 64 letters, digits, dots, colons, dashes or underscores');
  return text;
}

function serviceName(text: string): string {
  if (!SERVICE_NAME_PATTERN.test(text))
    throw new BadValue('must be at most 64 letters and digits, with single dashes between them');
  return text;
}

/** A path, or a URL that may be downloaded from. */
function indexLocation(text: string): string {
  if (!isIndexUrl(nonEmpty(text))) return text;
  const url = URL.parse(text);
  if (url === null || url.pathname.endsWith('/')) {
    throw new BadValue('must be a file, or a URL such as https://example.com/world.toponym');
  }
  const refusal = urlRefusal(url);
  if (refusal !== undefined) throw new BadValue(`a URL ${refusal}`);
  return url.href;
}

/** Ends the URL with a slash, so that file names resolve relative to it. */
function folderUrl(text: string): string {
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`);
  if (url === null) throw new BadValue('must be a URL such as https://example.com/dump/');
  const refusal = urlRefusal(url);
  if (refusal !== undefined) throw new BadValue(refusal);
  return url.href;
}
