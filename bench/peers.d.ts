// biome-ignore-all lint/style/noDefaultExport: these packages have default exports
/**
 * Types of the parts of the peers that are used here. They are written by hand because the peers
 * are installed only for a benchmark, and `npm run check` must pass without them.
 */
declare module 'minisearch' {
  interface SearchOptions {
    fields?: string[];
    boost?: Record<string, number>;
    prefix?: boolean | ((term: string, position: number, terms: string[]) => boolean);
    fuzzy?: number;
    combineWith?: 'AND' | 'OR';
    boostDocument?: (id: number) => number;
  }
  export default class MiniSearch<T> {
    constructor(options: { fields: string[]; processTerm?: (term: string) => string });
    addAll(documents: readonly T[]): void;
    search(text: string, options: SearchOptions): { id: number }[];
  }
}

declare module 'flexsearch' {
  export const Charset: { LatinBalance: object };
  export class Index {
    constructor(options: { tokenize: string; encoder: object });
    add(id: number, text: string): void;
    search(text: string, options: { limit: number; suggest?: boolean }): number[];
  }
}

declare module '@orama/orama' {
  export function create(options: { schema: Record<string, string> }): object;
  export function insertMultiple(db: object, documents: readonly object[], batchSize: number): unknown;
  export function search(
    db: object,
    parameters: {
      term: string;
      properties: readonly string[];
      tolerance: number;
      threshold: number;
      limit: number;
      boost?: Record<string, number>;
    },
  ): { hits: { id: string }[] } | Promise<{ hits: { id: string }[] }>;
}

declare module '@leeoniya/ufuzzy' {
  export default class UFuzzy {
    constructor(options: { intraMode: 0 | 1; interLft: 0 | 1 | 2 });
    search(
      haystack: readonly string[],
      needle: string,
      outOfOrder: number,
      infoThreshold: number,
    ): [number[] | null, { idx: number[] } | null, number[] | null];
  }
}

declare module 'kdbush' {
  export default class KDBush {
    constructor(size: number);
    add(x: number, y: number): number;
    finish(): void;
  }
}

declare module 'geokdbush' {
  import type KDBush from 'kdbush';
  export function around(index: KDBush, lng: number, lat: number, maxResults: number): number[];
}

declare module 'kdt' {
  interface Point {
    latitude: number;
    longitude: number;
    position?: number;
  }
  const kdt: {
    createKdTree(
      points: Point[],
      distance: (a: Point, b: Point) => number,
      dimensions: readonly string[],
    ): { nearest(point: Point, count: number): [Required<Point>, number][] };
  };
  export default kdt;
}

declare module 'pg' {
  interface Query {
    name: string;
    text: string;
    values: unknown[];
  }
  const pg: {
    Client: new (options: {
      host: string;
      user: string;
      database: string;
    }) => {
      connect(): Promise<void>;
      query(query: string | Query, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
      end(): Promise<void>;
    };
  };
  export default pg;
}

declare module 'mysql2/promise' {
  export function createConnection(options: {
    socketPath: string;
    multipleStatements: boolean;
    rowsAsArray: boolean;
  }): Promise<{
    query(text: string): Promise<[rows: unknown, fields: unknown]>;
    end(): Promise<void>;
  }>;
}

declare module 'fastify' {
  type Handler = (request: unknown, reply: Reply) => unknown;
  interface Reply {
    type(contentType: string): Reply;
    send(body: string): Reply;
  }
  export default function fastify(options: { https: { cert: Buffer; key: Buffer } }): {
    readonly server: import('node:net').Server;
    addContentTypeParser(
      type: string,
      options: { parseAs: 'string' },
      parser: (request: unknown, body: string, done: (error: null, body: string) => void) => void,
    ): void;
    post(path: string, handler: Handler): void;
    listen(options: { host: string; port: number }): Promise<string>;
  };
}
