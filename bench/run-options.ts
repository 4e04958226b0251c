/** What a run measures and how long it may take. */
import { parseArgs } from 'node:util';

export const SECTION_NAMES = ['engine', 'reverse', 'http', 'start', 'scale'] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

export interface RunOptions {
  readonly sections: readonly SectionName[];
  readonly isQuick: boolean;
  /** Folder with the files of the scale section. */
  readonly places: string | undefined;
  readonly rounds: number;
  /** Of one peer, one class and one round. */
  readonly budgetMs: number;
  readonly wrkSeconds: number;
  readonly starts: number;
}

export const USAGE = `npm run bench -- [--quick] [--only engine|reverse|http|start|scale] [--places DIR]

The whole run (engine, reverse, http, start) takes up to 8 minutes and writes docs/bench.md and docs/bench.svg.
--quick       up to 90 seconds, less exact; writes to bench/results
--only NAME   one section; writes to bench/results, but for scale, which writes docs/bench-scale.md
--places DIR  where the scale section finds wof-places.ndjson.zst and wof-admin.tsv.gz`;

/** Throws an Error for the user where the arguments cannot be meant. */
export function parseRunOptions(args: readonly string[]): RunOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      places: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const only = SECTION_NAMES.find((name) => name === values.only);
  if (values.only !== undefined && only === undefined) {
    throw new Error(`--only: got ${JSON.stringify(values.only)}; give one of ${SECTION_NAMES.join(', ')}`);
  }
  const amounts = values.quick
    ? { rounds: 2, budgetMs: 100, wrkSeconds: 1, starts: 2 }
    : { rounds: 3, budgetMs: 1000, wrkSeconds: 5, starts: 7 };
  return {
    sections: only === undefined ? SECTION_NAMES.filter((name) => name !== 'scale') : [only],
    isQuick: values.quick,
    places: values.places,
    ...amounts,
  };
}
