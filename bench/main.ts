/**
 * `npm run bench`: compares Toponym with its peers in one run and writes the tables and the chart.
 * Every load is bounded in count and time by run-options.ts.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureAttack } from './attack/section.ts';
import { type BenchData, prepareData } from './bench-data.ts';
import { measureCapacity } from './capacity/section.ts';
import { drawChart } from './chart.ts';
import { measureEngine } from './engine/section.ts';
import { measureGuard } from './guard/section.ts';
import { measureHttp } from './http/section.ts';
import { installPeers } from './install-peers.ts';
import { describeMachine } from './machine.ts';
import { replacePart, type SectionReport, toMarkdown, toTerminal } from './report.ts';
import { measureReverse } from './reverse/section.ts';
import { parseRunOptions, type RunOptions, SEPARATE_SECTIONS, type SectionName, USAGE } from './run-options.ts';
import { measureScale } from './scale/section.ts';
import { measureSizing } from './sizing/section.ts';
import { measureSoak } from './soak/section.ts';
import { measureStart } from './start/section.ts';
import { drawSummary } from './summary-chart.ts';

const SECTIONS: Record<SectionName, (data: BenchData, options: RunOptions) => Promise<SectionReport>> = {
  engine: measureEngine,
  reverse: measureReverse,
  http: measureHttp,
  start: measureStart,
  scale: measureScale,
  soak: measureSoak,
  attack: measureAttack,
  sizing: measureSizing,
  capacity: measureCapacity,
  guard: measureGuard,
};

const options = readOptions();
if (options.sections.some((name) => name !== 'guard' && name !== 'capacity')) installPeers();
const startedMs = Date.now();
const machine = describeMachine();
console.log('Preparing places and index');
const data = await prepareData();
const reports: SectionReport[] = [];
try {
  for (const name of options.sections) {
    console.log(`Measuring ${name}`);
    reports.push(await SECTIONS[name](data, options));
  }
} finally {
  data.remove();
}
console.log(`\n${reports.map(toTerminal).join('\n\n')}\n`);
write(`${((Date.now() - startedMs) / 60_000).toFixed(1)} minutes`);

function readOptions(): RunOptions {
  try {
    const parsed = parseRunOptions(process.argv.slice(2));
    if (parsed !== 'help') return parsed;
    console.log(USAGE);
    process.exit();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

/** Writes published results into docs/bench.md or docs/scale.md, and others to a folder that git ignores. */
function write(duration: string): void {
  const [only, ...others] = options.sections;
  const isSeparate = only !== undefined && SEPARATE_SECTIONS.includes(only);
  const isPublished = !options.isQuick && (isSeparate || others.length > 0);
  const folder = fileURLToPath(new URL(isPublished ? '../docs' : './results', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const summarize = (command: string) => `One run of \`${command}\` (${duration}). ${machine}`;
  const writePart = (name: string, command: string, part: string) => {
    const page = join(folder, name);
    writeFileSync(page, isPublished ? replacePart(readFileSync(page, 'utf8'), command, part) : `${part}\n`);
    console.log(`Wrote ${page}`);
  };
  if (isSeparate) {
    for (const [i, report] of reports.entries()) {
      if (report.tables.length === 0) continue;
      const section = options.sections[i];
      const command = formatCommand(section);
      const part = toMarkdown({ ...report, method: [...report.method, summarize(command)] });
      writePart(section === 'capacity' ? 'scale.md' : 'bench.md', command, part);
    }
    return;
  }
  if (reports.every(({ tables }) => tables.length === 0)) return;
  const command = formatCommand(others.length === 0 ? only : undefined);
  const panels = reports.flatMap((report) => report.panels);
  const chart = panels.length > 0 ? ['![Chart of the figures below](bench.svg)'] : [];
  writePart('bench.md', command, [summarize(command), ...chart, ...reports.map(toMarkdown)].join('\n\n'));
  if (panels.length > 0) writeFileSync(join(folder, 'bench.svg'), drawChart('Toponym and its peers', panels));
  const summaryChart = drawSummary(panels);
  if (summaryChart !== undefined) writeFileSync(join(folder, 'bench-summary.svg'), summaryChart);
}

function formatCommand(only: SectionName | undefined): string {
  const words = [...(options.isQuick ? ['--quick'] : []), ...(only === undefined ? [] : ['--only', only])];
  return `npm run bench${words.length === 0 ? '' : ` -- ${words.join(' ')}`}`;
}
