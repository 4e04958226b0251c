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
const machine = describeMachine();
const startedMs = Date.now();
console.log('Preparing places and index');
const data = await prepareData();
const reports: SectionReport[] = [];
try {
  for (const name of options.sections) {
    console.log(`Measuring ${name}`);
    const sectionStartedMs = Date.now();
    const report = await SECTIONS[name](data, options);
    if (SEPARATE_SECTIONS.includes(name)) writeSeparate(name, report, sectionStartedMs);
    else reports.push(report);
  }
} finally {
  data.remove();
}
if (reports.length > 0) writeTogether();

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

/** Writes a section that has its own part of docs/bench.md, or of docs/scale.md. */
function writeSeparate(name: SectionName, report: SectionReport, sectionStartedMs: number): void {
  console.log(`\n${toTerminal(report)}\n`);
  const command = formatCommand(name);
  const method = [...report.method, summarize(command, sectionStartedMs)];
  if (report.tables.length === 0) return;
  writePart(name === 'capacity' ? 'scale.md' : 'bench.md', command, toMarkdown({ ...report, method }));
}

/** Writes the sections of the full run, or one of them. */
function writeTogether(): void {
  console.log(`\n${reports.map(toTerminal).join('\n\n')}\n`);
  if (reports.every(({ tables }) => tables.length === 0)) return;
  const command = formatCommand(reports.length === 1 ? options.sections[0] : undefined);
  const panels = reports.flatMap((report) => report.panels);
  const chart = panels.length > 0 ? ['![Chart of the figures below](bench.svg)'] : [];
  writePart('bench.md', command, [summarize(command, startedMs), ...chart, ...reports.map(toMarkdown)].join('\n\n'));
  if (panels.length > 0) writeFileSync(join(folder(), 'bench.svg'), drawChart('Toponym and its peers', panels));
  const summaryChart = drawSummary(panels);
  if (summaryChart !== undefined) writeFileSync(join(folder(), 'bench-summary.svg'), summaryChart);
}

function summarize(command: string, fromMs: number): string {
  return `One run of \`${command}\` (${((Date.now() - fromMs) / 60_000).toFixed(1)} minutes). ${machine}`;
}

function writePart(name: string, command: string, part: string): void {
  mkdirSync(folder(), { recursive: true });
  const page = join(folder(), name);
  writeFileSync(page, isPublished() ? replacePart(readFileSync(page, 'utf8'), command, part) : `${part}\n`);
  console.log(`Wrote ${page}`);
}

/** Of results. Git ignores the one for those that are not published. */
function folder(): string {
  return fileURLToPath(new URL(isPublished() ? '../docs' : './results', import.meta.url));
}

/** A single section of the full run is not. Those with pages of their own are not in `reports`. */
function isPublished(): boolean {
  return !options.isQuick && reports.length !== 1;
}

function formatCommand(only: SectionName | undefined): string {
  const words = [...(options.isQuick ? ['--quick'] : []), ...(only === undefined ? [] : ['--only', only])];
  return `npm run bench${words.length === 0 ? '' : ` -- ${words.join(' ')}`}`;
}
