/** The page of results, faults/results.md, which `npm run faults` writes. */
import type { Check } from './checks.ts';
import type { ScenarioResult } from './run-scenario.ts';

const HEAD = `# What the service survives

\`npm run faults\` writes this page. [docs/reliability.md](../docs/reliability.md) has the promises that it measures.

- **Freed**: more than 60 calls of an address were accepted in less than 60 seconds, from the sending of the first to the last response.
- **Lost**: a request was sent, and no complete response came. A client whose connection ends before the TLS handshake is complete has
  sent nothing and connects again.
- **Generated**: a grammar over methods, paths, headers, bodies and options makes valid, wrong and very long requests, and breaks some.
  Each response must be valid against the service's own OpenAPI document and have no other field. Adapters have a grammar of their own.
- **Slow connections** drip the bytes of a header or body, stop in a handshake, or never read.
- **Overload**: clients search for misspelt names, which no cache has, over at most 4,000 connections. A call without a free one is not sent.`;

/** `summary` is a paragraph before the table. */
export function resultsPage(summary: string, results: readonly ScenarioResult[]): string {
  return `${HEAD}\n\n${summary}\n\n${toMarkdown(results)}\n`;
}

function toMarkdown(results: readonly ScenarioResult[]): string {
  const head = ['| scenario | measured | result | promised |', '| --- | --- | --- | --- |'];
  return [
    ...head,
    ...results.flatMap(({ scenario, checks }) => grouped(checks).map((check, i) => row(scenario, check, i))),
  ].join('\n');
}

/** Checks with the same result and promise share a row, which lists what they measured. A subject (`…: `) is named once. */
function grouped(checks: readonly Check[]): Check[] {
  const rows: Check[] = [];
  for (const check of checks) {
    const { held, result, promised, measured } = check;
    const i = rows.findIndex((row) => row.held === held && row.result === result && row.promised === promised);
    const row = rows[i];
    if (row === undefined) {
      rows.push(check);
      continue;
    }
    const subject = /^.*?: /.exec(row.measured)?.[0];
    const isSame = subject !== undefined && measured.startsWith(subject);
    rows[i] = { ...row, measured: `${row.measured}; ${isSame ? measured.slice(subject.length) : measured}` };
  }
  return rows;
}

/** Only the first row of a scenario names it. */
function row({ name, promise }: ScenarioResult['scenario'], check: Check, i: number): string {
  const scenario = i === 0 ? `\`${name}\`: ${promise}` : '';
  const result = check.held ? check.result : `**not kept:** ${check.result}`;
  const cells = [scenario, check.measured, result, check.promised];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}
