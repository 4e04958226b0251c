/** The settings that say where Redis or Valkey is, and how to log in. */

export type RedisMode =
  | { readonly kind: 'standalone' }
  | { readonly kind: 'cluster' }
  /** `name` is the name of the master that the sentinels watch. */
  | { readonly kind: 'sentinel'; readonly name: string };

/** From a URL such as `rediss://user:password@host:6379/0`. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
}

export interface RedisSettings {
  readonly mode: RedisMode;
  /** Some nodes of a cluster are enough; the others are found through them. */
  readonly nodes: readonly RedisNode[];
  /** Replaces the passwords of the URLs. With sentinels, it is the password of the servers they watch. */
  readonly password: string | undefined;
  /** Authorities in PEM form that sign the server's certificate; undefined for those of Node.js. */
  readonly ca: string | undefined;
  /** First part of the name of every Redis key. */
  readonly prefix: string;
}

const DEFAULT_PORT = 6379;

/** Returns undefined if the text is not a URL of Redis. */
export function parseRedisUrl(text: string): RedisNode | undefined {
  const url = URL.parse(text);
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') return undefined;
  if (url.search !== '' || url.hash !== '' || !/^(\/\d{0,5})?$/.test(url.pathname)) return undefined;
  const username = decodePart(url.username);
  const password = decodePart(url.password);
  if (username === undefined || password === undefined) return undefined;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'), // an IPv6 address has brackets in a URL
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    isTls: url.protocol === 'rediss:',
    username: username || undefined,
    password: password || undefined,
    database: Number(url.pathname.slice(1)),
  };
}

/** Returns undefined if a percent sign does not start an escape such as %25. */
function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns undefined if the text is not one of the modes. */
export function parseRedisMode(text: string): RedisMode | undefined {
  if (text === 'standalone' || text === 'cluster') return { kind: text };
  const name = /^sentinel:([\w.-]+)$/.exec(text)?.[1];
  return name === undefined ? undefined : { kind: 'sentinel', name };
}

/** Why these settings cannot work together; undefined if they can. */
export function redisRefusal({ mode, nodes }: Pick<RedisSettings, 'mode' | 'nodes'>): string | undefined {
  const [first, ...others] = nodes;
  if (first === undefined) return 'no URL was given';
  if (mode.kind === 'standalone' && others.length > 0) {
    return 'one server has one URL; for more, add --redis-mode cluster or --redis-mode sentinel:NAME';
  }
  if (mode.kind === 'cluster' && nodes.some(({ database }) => database !== 0)) {
    return 'a cluster has only database 0';
  }
  if (others.some(({ isTls }) => isTls !== first.isTls)) return 'redis:// and rediss:// cannot be mixed';
  if (others.some(({ username, password }) => username !== first.username || password !== first.password)) {
    return 'all URLs must have the same user and password';
  }
  return undefined;
}

/** Names the servers for messages, without user and password. */
export function redisAddress({ nodes }: Pick<RedisSettings, 'nodes'>): string {
  return nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(', ');
}
