/** The library's object: an engine that can be closed. */
import type { Dataset, Engine, FullRecord } from 'toponym-engine/engine';
import { CheckedEngine, type OpenEngine, type Results } from 'toponym-engine/library/checked-engine';
import type { ReverseOptions, SearchOptions } from 'toponym-engine/library/checks';

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
