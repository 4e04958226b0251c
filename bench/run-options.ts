/** Command-line options of a run, and its bounds. */
import { parseArgs } from 'node:util';

export const SECTION_NAMES = [
  'engine',
  'reverse',
  'http',
  'start',
  'scale',
  'soak',
  'attack',
  'sizing',
  'capacity',
  'guard',
] as const;
/** Sections that take too long for every run, and have their own part of docs/bench.md, or a page. */
export const SEPARATE_SECTIONS: readonly SectionName[] = ['scale', 'soak', 'attack', 'sizing', 'capacity'];
/** Sections that run only if they are named. */
const NAMED_SECTIONS: readonly SectionName[] = [...SEPARATE_SECTIONS, 'guard'];
export type SectionName = (typeof SECTION_NAMES)[number];

export interface RunOptions {
  readonly sections: readonly SectionName[];
  readonly isQuick: boolean;
  /** Folder with the files of the sections scale and sizing. */
  readonly places: string | undefined;
  readonly rounds: number;
  /** Time per peer, query class and round. */
  readonly budgetMs: number;
  readonly wrkSeconds: number;
  readonly starts: number;
  /** Numbers of places that scale and sizing reach with synthetic copies. */
  readonly synthetic: readonly number[];
  readonly soakRequests: number;
  /** The commit that the section guard compares with. */
  readonly against: string;
}

export const USAGE = `npm run bench -- [--quick] [--only engine|reverse|http|start|scale|soak|attack|sizing|capacity|guard]
               [--places DIR] [--against COMMIT]
               [--synthetic MILLIONS,…] [--requests MILLIONS]

The full run (engine, reverse, http, start) takes up to 20 minutes and writes its part of docs/bench.md, and the charts.
--quick       about 5 minutes, less exact; writes to bench/results
--only NAME   one section; writes to bench/results. Scale, soak, attack and sizing write their part of docs/bench.md,
              sizing also that of docs/scale.md, and capacity (4 minutes) only that
--places DIR  folder with wof-places.ndjson.zst and wof-admin.tsv.gz for scale, sizing and guard
--against     commit that guard compares this folder with (default: HEAD)
--synthetic   millions of places to reach with synthetic copies in scale and sizing (default: 5,10)
--requests    millions of requests in the soak section (default: 10)`;

/** Throws an Error with a message for the user if the arguments are invalid. */
export function parseRunOptions(args: readonly string[]): RunOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      places: { type: 'string' },
      synthetic: { type: 'string', default: '5,10' },
      requests: { type: 'string', default: '10' },
      against: { type: 'string', default: 'HEAD' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const only = SECTION_NAMES.find((name) => name === values.only);
  if (values.only !== undefined && only === undefined) {
    throw new Error(`--only: must be one of ${SECTION_NAMES.join(', ')}, got ${JSON.stringify(values.only)}`);
  }
  const amounts = values.quick
    ? { rounds: 2, budgetMs: 100, wrkSeconds: 1, starts: 2 }
    : { rounds: 3, budgetMs: 2000, wrkSeconds: 5, starts: 7 };
  return {
    sections: chooseSections(only),
    isQuick: values.quick,
    places: values.places,
    synthetic: values.synthetic === '' ? [] : values.synthetic.split(',').map((text) => millions('--synthetic', text)),
    soakRequests: millions('--requests', values.requests),
    against: values.against,
    ...amounts,
  };
}

/** The plan of docs/scale.md belongs to sizing, and can be made without its longer part. */
function chooseSections(only: SectionName | undefined): readonly SectionName[] {
  if (only === undefined) return SECTION_NAMES.filter((name) => !NAMED_SECTIONS.includes(name));
  return only === 'sizing' ? ['sizing', 'capacity'] : [only];
}

function millions(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 100))
    throw new Error(`${option}: must be millions from 0 to 100, got ${JSON.stringify(text)}`);
  return Math.round(value * 1e6);
}
