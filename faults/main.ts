/**
 * `npm run faults`: runs the scenarios one after the other, prints the results and writes them to
 * results.md. scenario.ts says how to add one.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { KeySearch } from './key-search.ts';
import { resultsPage } from './results-table.ts';
import { parseRunOptions, type RunOptions, usage } from './run-options.ts';
import { runScenario, type ScenarioResult } from './run-scenario.ts';
import { SCENARIOS } from './scenarios.ts';

const PAGE = new URL('results.md', import.meta.url);

const { scenarios, scale, seed } = readOptions();
const keySearch = new KeySearch();
const results: ScenarioResult[] = [];
const startedMs = performance.now();
console.log(`Seed ${seed} (repeat with --seed ${seed})`);
for (const scenario of scenarios) {
  console.log(`\n${scenario.name}: ${scenario.promise}`);
  const result = await runScenario(scenario, { scale, seed, keySearch, print: (line) => console.log(`  ${line}`) });
  results.push(result);
  printResult(result);
}
const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
const notKept = results.filter(({ held }) => !held).map(({ scenario }) => scenario.name);
const skippedChecks = results.flatMap(({ checks }) => checks.filter(({ isSkipped }) => isSkipped));
console.log(`\n${results.length} scenarios in ${minutes} minutes; ${skippedChecks.length} checks skipped`);
for (const { measured, result } of skippedChecks) console.log(`  ${measured}: ${result}`);
if (notKept.length > 0) {
  console.log(`Promises not kept: ${notKept.join(', ')}`);
  process.exitCode = 1;
}
if (scale === 'full' && scenarios.length === SCENARIOS.length) writePage();

function readOptions(): RunOptions {
  try {
    const parsed = parseRunOptions(process.argv.slice(2), SCENARIOS);
    if (parsed !== 'help') return parsed;
    console.log(usage(SCENARIOS));
    process.exit();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage(SCENARIOS)}`);
    process.exit(2);
  }
}

function printResult({ checks, seconds }: ScenarioResult): void {
  for (const { measured, result, promised, held } of checks) {
    console.log(
      `  ${held ? 'ok ' : 'NOT KEPT '} ${measured}: ${result}${promised === '' ? '' : ` (promised: ${promised})`}`,
    );
  }
  console.log(`  ${seconds} s`);
}

function writePage(): void {
  const date = new Date().toISOString().slice(0, 10);
  const summary =
    `One run of \`npm run faults\` on ${date}: ${minutes} minutes on ${cpus().length} cores (${process.arch}, ` +
    `Node.js ${process.versions.node}), seed ${seed}. Service and clients shared the cores.`;
  writeFileSync(PAGE, resultsPage(summary, results));
  console.log('Wrote faults/results.md');
}
