/** Command-line options of `npm run faults`. */
import { parseArgs } from 'node:util';
import type { Scale } from './checks.ts';
import type { Scenario } from './scenario.ts';

export interface RunOptions {
  readonly scenarios: readonly Scenario[];
  readonly scale: Scale;
  readonly seed: number;
}

export function usage(scenarios: readonly Scenario[]): string {
  return `npm run faults -- [--only NAME] [--seed NUMBER] [--short]

Runs every scenario and writes the results to faults/results.md. The exit code is 1 if a promise is not kept.
--only NAME    runs one scenario and writes nothing: ${scenarios.map(({ name }) => name).join(', ')}
--seed NUMBER  repeats the random choices of an earlier run
--short        runs the short form, as npm test does, and writes nothing`;
}

/** Throws an Error with a message for the user if the arguments are invalid. */
export function parseRunOptions(args: readonly string[], scenarios: readonly Scenario[]): RunOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      seed: { type: 'string' },
      short: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const { only } = values;
  const chosen = only === undefined ? scenarios : scenarios.filter(({ name }) => name === only);
  if (chosen.length === 0) {
    const names = scenarios.map(({ name }) => name).join(', ');
    throw new Error(`--only: must be one of ${names}, got ${JSON.stringify(only)}`);
  }
  return { scenarios: chosen, scale: values.short ? 'short' : 'full', seed: parseSeed(values.seed) };
}

/** A random seed if none is given. */
function parseSeed(text: string | undefined): number {
  if (text === undefined) return Math.floor(Math.random() * 2 ** 31);
  const seed = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seed < 2 ** 31))
    throw new Error(`--seed: must be an integer from 0 to 2147483647, got ${JSON.stringify(text)}`);
  return seed;
}
