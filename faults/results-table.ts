/** The page of results, faults/results.md, which `npm run faults` writes. */
import type { Check } from './checks.ts';
import type { ScenarioResult } from './run-scenario.ts';

const HEAD = `# What the service survives

\`npm run faults\` writes this page. [docs/reliability.md](../docs/reliability.md) has the promises that it measures.

- **Freed**: more than 60 calls of an address were accepted in less than 60 seconds, from the sending of the first to the last response.
- **Lost**: a request was sent, and no complete response came. A client whose connection is refused, or ends before the TLS handshake
  is complete, has sent nothing and connects again.
- **Generated**: a grammar over methods, paths, headers, bodies and every option chooses valid, wrong and very long values, and breaks
  some of the requests. Each response must be valid against the service's own OpenAPI document and have no other field. Requests
  to adapters have a grammar of their own, and each response must be one that clients of the other service can read.
- **Slow connections** drip the bytes of a header or body, stop in a handshake, or never read.
- **Overload**: clients search for misspelt names, which no cache has, over at most 4,000 connections. A call without a free
  connection is not sent.`;

/** `summary` is a paragraph before the table. */
export function resultsPage(summary: string, results: readonly ScenarioResult[]): string {
  return `${HEAD}\n\n${summary}\n\n${toMarkdown(results)}\n`;
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
