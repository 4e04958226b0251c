/**
 * The table of all settings. A row is a flag (`--service-name`), an environment variable
 * (`TOPONYM_SERVICE_NAME`) and a key in `toponym.json` (`serviceName`), in order of precedence.
 */

import { isIPv6 } from 'node:net';
import { availableParallelism } from 'node:os';
import { parseCidr } from 'toponym-access/address';
import { MAX_PER_MINUTE } from 'toponym-access/keys/key-record';
import { DEFAULT_PER_MINUTE } from 'toponym-access/limits/rate-limiter';
import { parseRedisMode, parseRedisUrl } from 'toponym-access/redis/redis-settings';
import { isIndexUrl } from 'toponym-gazetteer/datasets/index-choice';
import { urlRefusal } from 'toponym-gazetteer/fetch/urls';
import { ADAPTER_NAMES, parseHostName, parseHttpAddress } from 'toponym-server/compat/compat-settings';
import { SERVICE_NAME_PATTERN } from 'toponym-server/http/headers';

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
  /** Values that completion offers. */
  readonly choices?: readonly string[];
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

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const REDIS_MODES = ['standalone', 'cluster']; // and sentinel:NAME

const PASSWORD_IN_FLAG = 'a password on the command line can be read by every user of the machine';

const CIDR_LIST = list(valid(parseCidr, 'must list addresses or blocks such as 10.0.0.0/8, 2001:db8::/32'));

export const SETTINGS = {
  host: {
    description: 'address to listen on; unix:/path with --behind-proxy',
    placeholder: 'address',
    parse: host,
    defaultText: '127.0.0.1',
  },
  port: integer('port to listen on; 0 picks a free one', { max: 65_535, defaultText: '8443' }),
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
  overlay: file('file of corrections and additions to the index', 'none'),
  watchSeconds: {
    description: 'seconds between checks of index, overlay, IP databases and TLS files for changes; 0 to disable',
    placeholder: 'number',
    parse: optional(integerFrom(0, 86_400)),
    defaultDescription: '1 for files, 60 for the URL of an index',
  },
  allowShrunkenData: offSwitch('serve an index that is empty or has lost more than half of its places'),
  state: {
    description: 'folder for keys, certificate and downloaded data',
    placeholder: 'folder',
    parse: nonEmpty,
    defaultText: 'state',
  },
  threads: {
    ...integer('number of worker threads', { min: 1, max: 512, defaultText: String(availableParallelism()) }),
    defaultDescription: 'one per core',
  },
  tlsCert: file('certificate in PEM form, with its chain; needs --tls-key', 'generated on the first start'),
  tlsKey: file('private key in PEM form; needs --tls-cert', 'generated on the first start'),
  tlsClientCa: file(
    'certificates of authorities in PEM form: only clients with a certificate of one of them can connect',
    'clients need no certificate',
  ),
  hstsSeconds: integer('max-age of Strict-Transport-Security, sent only with a certificate of an authority', {
    max: 63_072_000,
    defaultText: '15552000',
  }),
  behindProxy: offSwitch(
    'serve plain HTTP to a TLS proxy; beyond loopback and Unix sockets it needs --trusted-proxies',
  ),
  page: {
    description: 'serve the page with a search box and a map at /, which needs no key',
    parse: optional(boolean),
    hasNegation: true,
    defaultDescription: 'on if --host is a loopback address and there is no --behind-proxy',
  },
  socketMode: {
    description: 'permissions of the Unix socket, octal',
    placeholder: 'mode',
    parse: valid(
      (text) => (/^0?[0-7]{3}$/.test(text) ? Number.parseInt(text, 8) : undefined),
      'must be three octal digits, with or without a leading zero, such as 660 or 0660',
    ),
    defaultText: '0660',
  },
  trustedProxies: {
    description: 'addresses or CIDR blocks (comma-separated) of proxies that may tell the client address',
    placeholder: 'list',
    parse: CIDR_LIST,
    isList: true,
    defaultText: '',
    defaultDescription: 'none',
  },
  proxyProtocol: offSwitch('trusted proxies begin each connection with a PROXY protocol header, version 1 or 2'),
  callsPerMinute: integer('calls that an address may make in any 60 seconds, unless its key has a limit of its own', {
    min: 1,
    max: MAX_PER_MINUTE,
    defaultText: String(DEFAULT_PER_MINUTE),
  }),
  redis: {
    description: 'Redis or Valkey for the keys and limits of many machines, such as redis://host:6379; comma-separated',
    placeholder: 'urls',
    parse: optional(
      list(
        valid(
          parseRedisUrl,
          'must be URLs such as redis://127.0.0.1:6379 or rediss://user@host:6380/0, with % in a password written as %25',
        ),
      ),
    ),
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
    choices: REDIS_MODES,
    parse: valid(parseRedisMode, 'must be standalone, cluster or sentinel:NAME', REDIS_MODES),
    defaultText: 'standalone',
  },
  redisPassword: {
    description: 'password of Redis',
    isSecret: true,
    parse: optional(nonEmpty),
    defaultDescription: 'that of --redis-password-file or of the URL',
  },
  redisPasswordFile: file('file with the password of Redis', 'none; TOPONYM_REDIS_PASSWORD works too'),
  redisCa: file('authorities in PEM form that sign the certificate of Redis, for rediss:// URLs', 'those of Node.js'),
  redisPrefix: {
    description: 'first part of all names in Redis; services with the same prefix share keys and limits',
    placeholder: 'name',
    // braces would change the slot of a name in a cluster
    parse: matching(/^[\w.:-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, colons, dashes or underscores'),
    defaultText: 'toponym',
  },
  compat: {
    description: `APIs of other services (comma-separated) to answer as well: ${ADAPTER_NAMES.join(', ')}`,
    placeholder: 'list',
    choices: ADAPTER_NAMES,
    parse: list(oneOf(ADAPTER_NAMES, 'must list some of')),
    isList: true,
    defaultText: '',
    defaultDescription: 'none',
  },
  compatListen: {
    description: 'URL at which --compat is also answered over plain HTTP, such as http://127.0.0.1:2322',
    placeholder: 'url',
    parse: optional(valid(parseHttpAddress, 'must be an address and port such as http://127.0.0.1:2322')),
    defaultDescription: 'none: only over HTTPS',
  },
  compatFrom: {
    description: 'addresses or CIDR blocks (comma-separated) that --compat-listen answers',
    placeholder: 'list',
    parse: optional(CIDR_LIST),
    isList: true,
    defaultDescription: 'private and loopback addresses',
  },
  compatOpen: offSwitch('callers of --compat-listen need no API key, unless they are web pages'),
  compatHosts: {
    description: 'host names (comma-separated) that --compat-open accepts in addition to IP addresses and localhost',
    placeholder: 'names',
    parse: list(valid(parseHostName, 'must list host names such as geocoder.lan, without a port')),
    isList: true,
    defaultText: '',
    defaultDescription: 'the host of --compat-listen',
  },
  serviceName: {
    description: 'name in the key header, X-<name>-Key',
    placeholder: 'name',
    parse: matching(SERVICE_NAME_PATTERN, 'must be at most 64 letters and digits, with single dashes between them'),
    defaultText: 'Service',
  },
  ipDatabase: {
    description: 'MaxMind DB files (comma-separated) that locate IP addresses, or "none"',
    placeholder: 'files',
    parse: optional(list(nonEmpty)), // "none" becomes ['none']: see `listIpDatabasePaths`
    isList: true,
    defaultDescription: 'the embedded DB-IP files',
  },
  metricsPort: {
    description: 'port for GET /metrics, /healthz and /readyz over plain HTTP; 0 picks a free one',
    placeholder: 'number',
    parse: optional(integerFrom(0, 65_535)),
    defaultDescription: 'off',
  },
  metricsHost: {
    description: 'address that --metrics-port listens on',
    placeholder: 'address',
    parse: host,
    defaultText: '127.0.0.1',
  },
  drainGraceSeconds: integer('seconds a stopping server still accepts requests while /readyz returns 503', {
    max: 3600,
    defaultText: '0',
  }),
  drainSeconds: integer('seconds a stopping server waits for running requests', { max: 3600, defaultText: '10' }),
  logLevel: {
    description: `minimum level to log: ${LOG_LEVELS.join(', ')}`,
    placeholder: 'level',
    choices: LOG_LEVELS,
    parse: oneOf(LOG_LEVELS, 'must be one of'),
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

/** A file that the user may name. */
function file(description: string, defaultDescription: string): Setting<string | undefined> {
  return { description, placeholder: 'file', parse: optional(nonEmpty), defaultDescription };
}

function integer(
  description: string,
  { min = 0, max, defaultText }: { readonly min?: number; readonly max: number; readonly defaultText: string },
): Setting<number> & { readonly defaultText: string } {
  return { description, placeholder: 'number', parse: integerFrom(min, max), defaultText };
}

/** A switch that is off by default. */
function offSwitch(description: string): Setting<boolean> {
  return { description, parse: boolean, defaultText: 'false' };
}

/** `parse` returns undefined for an invalid text, and `rule` says which texts are valid. */
function valid<T>(parse: (text: string) => T | undefined, rule: string, choices?: readonly string[]): Parse<T> {
  return (text) => {
    const value = parse(text);
    if (value === undefined) throw new BadValue(rule, choices);
    return value;
  };
}

/** Adds undefined to the type, for a setting without a default. */
function optional<T>(parse: Parse<T>): Parse<T | undefined> {
  return parse;
}

function list<T>(parse: Parse<T>): Parse<readonly T[]> {
  return (text) => (text === '' ? [] : text.split(',').map((item) => parse(item.trim())));
}

function oneOf<T extends string>(choices: readonly T[], rule: string): Parse<T> {
  return valid((text) => choices.find((choice) => choice === text), `${rule} ${choices.join(', ')}`, choices);
}

function matching(pattern: RegExp, rule: string): Parse<string> {
  return valid((text) => (pattern.test(text) ? text : undefined), rule);
}

function integerFrom(min: number, max: number): Parse<number> {
  const inRange = (value: number) => (value >= min && value <= max ? value : undefined);
  const rule = `must be an integer from ${min} to ${max}`;
  return valid((text) => (/^\d{1,9}$/.test(text) ? inRange(Number(text)) : undefined), rule);
}

function nonEmpty(text: string): string {
  if (text === '') throw new BadValue('must not be empty');
  return text;
}

function boolean(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new BadValue('must be true or false', ['true', 'false']);
}

/** Removes the brackets of `[::1]`, which belong to URLs. */
function host(text: string): string {
  const inner = /^\[(.*)\]$/.exec(text)?.[1];
  return inner !== undefined && isIPv6(inner) ? inner : nonEmpty(text);
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
