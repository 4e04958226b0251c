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

/** Writes published results into their part of docs/bench.md or docs/scale.md, and others to a folder that git ignores. */
function write(duration: string): void {
  if (reports.every(({ tables }) => tables.length === 0)) return;
  const [only, ...others] = options.sections;
  const isSeparate = only !== undefined && SEPARATE_SECTIONS.includes(only);
  const isPublished = !options.isQuick && (isSeparate || others.length > 0);
  const folder = fileURLToPath(new URL(isPublished ? '../docs' : './results', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const command = `npm run bench${formatArguments()}`;
  const panels = reports.flatMap((report) => report.panels);
  const chart = panels.length > 0 ? ['![Chart of the figures below](bench.svg)'] : [];
  const summary = `One run of \`${command}\` (${duration}). ${machine}`;
  const part = isSeparate
    ? reports.map((report) => toMarkdown({ ...report, method: [...report.method, summary] })).join('\n\n')
    : [summary, ...chart, ...reports.map(toMarkdown)].join('\n\n');
  const page = join(folder, only === 'capacity' ? 'scale.md' : 'bench.md');
  writeFileSync(page, isPublished ? replacePart(readFileSync(page, 'utf8'), command, part) : `${part}\n`);
  if (panels.length > 0) writeFileSync(join(folder, 'bench.svg'), drawChart('Toponym and its peers', panels));
  const summaryChart = drawSummary(panels);
  if (summaryChart !== undefined) writeFileSync(join(folder, 'bench-summary.svg'), summaryChart);
  console.log(`Wrote ${page}${panels.length > 0 ? ' and bench.svg' : ''}`);
}

function formatArguments(): string {
  const words = [
    ...(options.isQuick ? ['--quick'] : []),
    ...(options.sections.length === 1 ? ['--only', options.sections[0]] : []),
  ];
  return words.length === 0 ? '' : ` -- ${words.join(' ')}`;
}
