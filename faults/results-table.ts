/** The table of results in docs/reliability.md, between two markers. */
import type { Check } from './checks.ts';
import type { ScenarioResult } from './run-scenario.ts';

const START = '<!-- results of npm run faults: begin -->';
const END = '<!-- results of npm run faults: end -->';

/** Replaces what is between the markers. `summary` is a paragraph before the table. */
export function replaceResults(page: string, summary: string, results: readonly ScenarioResult[]): string {
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error(`docs/reliability.md must contain ${START} and then ${END}`);
  return `${page.slice(0, start + START.length)}\n\n${summary}\n\n${toMarkdown(results)}\n\n${page.slice(end)}`;
}

function toMarkdown(results: readonly ScenarioResult[]): string {
  const head = ['| scenario | measured | result | promised |', '| --- | --- | --- | --- |'];
  return [
    ...head,
    ...results.flatMap(({ scenario, checks }) => checks.map((check, i) => row(scenario, check, i))),
  ].join('\n');
}

/** Only the first row of a scenario names it. */
function row({ name, promise }: ScenarioResult['scenario'], check: Check, i: number): string {
  const scenario = i === 0 ? `\`${name}\`: ${promise}` : '';
  const result = check.held ? check.result : `**not kept:** ${check.result}`;
  const cells = [scenario, check.measured, result, check.promised];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}
