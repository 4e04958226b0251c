/** The page of results, faults/results.md, which `npm run faults` writes. */
import { AS_PROMISED, type Check } from './checks.ts';
import type { ScenarioResult } from './run-scenario.ts';

const HEAD = `# What the service survives

\`npm run faults\` writes this page. [docs/reliability.md](../docs/reliability.md) has the promises that it measures.
✓ is a promise that was kept, with its bound in brackets. The program also prints figures about which nothing is promised.

- **Freed**: more than 60 calls of an address were accepted in less than 60 seconds.
- **Lost**: a request was sent, and no complete response came.
- **Generated**: a grammar over methods, paths, headers, bodies and options makes valid, wrong and very long requests, and breaks some.
  Each response must be valid against the OpenAPI document and have no other field. Adapters have a grammar of their own.
- **Slow connections** drip the bytes of a header or body, stop in a handshake, or never read.
- **Overload**: clients search for misspelt names, which no cache has, over at most 4,000 connections.`;

/** `summary` is a paragraph before the results. */
export function resultsPage(summary: string, results: readonly ScenarioResult[]): string {
  return `${HEAD}\n\n${summary}\n\n${toMarkdown(results)}\n`;
}

function toMarkdown(results: readonly ScenarioResult[]): string {
  return results
    .map(({ scenario, checks }) => section(scenario, grouped(checks.filter(isShown)).map(line)))
    .join('\n\n');
}

function isShown({ promised, isSkipped }: Check): boolean {
  return promised !== '' || isSkipped === true;
}

function section({ name, promise }: ScenarioResult['scenario'], lines: readonly string[]): string {
  return [`## ${name}`, '', promise, '', ...lines].join('\n');
}

/** A list item. A tick marks a promise that held; it follows in brackets if the result does not say it. */
function line({ measured, result, promised, held }: Check): string {
  const saysIt = result === promised || promised === ''; // a skipped check promises nothing
  const text = held && result === AS_PROMISED ? promised : `${result}${saysIt ? '' : ` (${promised})`}`;
  const mark = held ? (promised === '' ? '' : '✓ ') : '**not kept** ';
  return `- ${mark}${measured}: ${text}`.replaceAll('\n', ' ');
}

/** Checks with the same result and promise share a line, which lists what they measured. A subject (`…: `) is named once. */
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
