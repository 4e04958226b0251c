/** The library's object, an engine that can be closed, and its options. Their types need none of Node.js. */
import type { Dataset, Engine, FullRecord } from 'toponym-engine/engine';
import { CheckedEngine, type OpenEngine, type Results } from 'toponym-engine/library/checked-engine';
import type { IndexBytes, ReverseOptions, SearchOptions } from 'toponym-engine/library/checks';

export interface OpenProgress {
  /** What is being done, such as `indexing names`. */
  readonly stage: string;
  /** Of this stage: places, or keys of the trie. */
  readonly done: number;
  /** Undefined if it is not known yet. */
  readonly total?: number | undefined;
}

export interface OpenOptions {
  /**
   * Path of an index file, or its bytes. By default the embedded data, which the first call indexes
   * in the user's cache folder.
   */
  readonly index?: string | IndexBytes | undefined;
  /** Path of a file of corrections and additions: see docs/data.md. */
  readonly overlay?: string | undefined;
  /** Called while the embedded data is indexed. Without it, a terminal gets one line. */
  readonly onProgress?: ((progress: OpenProgress) => void) | undefined;
}

/** An open index. Every method throws a TypeError for wrong arguments, and after `close`. */
export interface Toponym extends OpenEngine {
  /** Lets go of the index, so that its memory can be freed. */
  close(): Promise<void>;
}

export class OpenToponym implements Toponym {
  readonly dataset: Dataset;
  #engine: OpenEngine | undefined;

  constructor(engine: Engine) {
    this.#engine = new CheckedEngine(engine);
    this.dataset = this.#engine.dataset;
  }

  search(query: SearchOptions): Results {
    return this.#openEngine().search(query);
  }

  reverse(query: ReverseOptions): Results {
    return this.#openEngine().reverse(query);
  }

  get(objectID: string, language?: string): FullRecord | undefined {
    return this.#openEngine().get(objectID, language);
  }

  async close(): Promise<void> {
    this.#engine = undefined;
  }

  #openEngine(): OpenEngine {
    if (this.#engine === undefined) throw new TypeError('this Toponym is closed: open it again with openToponym()');
    return this.#engine;
  }
}
