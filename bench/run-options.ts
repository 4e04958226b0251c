/** What a run measures and how long it may take. */
import { parseArgs } from 'node:util';

export const SECTION_NAMES = ['engine', 'reverse', 'http', 'start', 'scale', 'soak', 'attack'] as const;
/** Those that take too long to belong to every run. */
export const APART: readonly SectionName[] = ['scale', 'soak', 'attack'];
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
  /** How many places the scale section makes up to, with synthetic copies. */
  readonly synthetic: readonly number[];
  readonly soakRequests: number;
}

export const USAGE = `npm run bench -- [--quick] [--only engine|reverse|http|start|scale|soak|attack] [--places DIR]
               [--synthetic MILLIONS,…] [--requests MILLIONS]

The whole run (engine, reverse, http, start) takes up to 20 minutes and writes docs/bench.md and docs/bench.svg.
--quick       some 5 minutes, less exact; writes to bench/results
--only NAME   one section; writes to bench/results. Scale, soak and attack write docs/bench-scale.md and so on
--places DIR  where the scale section finds wof-places.ndjson.zst and wof-admin.tsv.gz
--synthetic   to how many million places the scale section adds copies, after a trial without; 5,10 by default
--requests    how many million the soak section sends; 10 by default`;

/** Throws an Error for the user where the arguments cannot be meant. */
export function parseRunOptions(args: readonly string[]): RunOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      places: { type: 'string' },
      synthetic: { type: 'string', default: '5,10' },
      requests: { type: 'string', default: '10' },
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
    : { rounds: 3, budgetMs: 2000, wrkSeconds: 5, starts: 7 };
  return {
    sections: only === undefined ? SECTION_NAMES.filter((name) => !APART.includes(name)) : [only],
    isQuick: values.quick,
    places: values.places,
    synthetic: values.synthetic === '' ? [] : values.synthetic.split(',').map((text) => millions('--synthetic', text)),
    soakRequests: millions('--requests', values.requests),
    ...amounts,
  };
}

function millions(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 100)) throw new Error(`${option}: got ${JSON.stringify(text)}; give millions, 0 to 100`);
  return Math.round(value * 1e6);
}
