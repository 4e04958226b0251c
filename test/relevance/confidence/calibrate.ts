/**
 * `npm run calibrate`: tells how well confidence means correctness, on queries made from the embedded
 * data and on ordinary words. Options:
 *
 *   --cases FOLDER     measures whole queries on judged queries instead: see query-sources.ts
 *   --fit              first fits calibration.ts to half of all queries
 *   --diagrams FOLDER  draws the reliability diagrams confidence.svg and typing-confidence.svg
 *
 * The figures are always those of the other half, which takes no part in fitting.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { openEngine } from 'toponym-engine/open-engine';
import { CALIBRATION } from 'toponym-engine/rank/calibration';
import type { Calibration, MatchKind } from 'toponym-engine/rank/confidence';
import { readIndexFile } from 'toponym-files/index-file';
import { type Column, textTable } from 'toponym-program/cli/print/text-table';
import { builtIndex } from '../../support/built-index.ts';
import { errorClasses } from '../generated/classes.ts';
import { beginnings, MEASURING_SEED } from '../typing/measures.ts';
import { reliabilityDiagram } from './diagram.ts';
import { fitCalibration } from './fit.ts';
import { type Claim, claimsAbout, type JudgedQuery, type Observation, observe, observeHalves } from './observations.ts';
import { ordinaryWords, readQueryFiles, sampledQueries } from './query-sources.ts';
import { CLAIM_COLUMNS, expectedCalibrationError, reliabilityBins } from './reliability.ts';

const SAMPLED_QUERIES = 12_000;
/** With WEIGHTS, a fifth of the finished queries mean no place. */
const ORDINARY_WORDS = 6000;
const BEGINNINGS_PER_LETTER_COUNT = 2000;
const GENERATED_PER_CLASS = 400;
/** More queries are drawn than count, because the figures then depend less on chance. */
const WEIGHTS = {
  sampled: 1,
  judged: 0.8,
  words: 1,
  beginnings: 0.7,
  wholeNameBeginnings: 0.1,
  errors: 0.2,
  absent: 2,
};
const WHOLE_NAME_KINDS: readonly MatchKind[] = [
  'mainName',
  'alternateName',
  'formerName',
  'mainNameInRegion',
  'alternateNameInRegion',
];
const FITTING_SEED = MEASURING_SEED + 1;
const SURE = 0.95;
const CALIBRATION_FILE = new URL('../../../packages/engine/src/rank/calibration.ts', import.meta.url);

const { values } = parseArgs({
  options: { cases: { type: 'string' }, fit: { type: 'boolean', default: false }, diagrams: { type: 'string' } },
});
const bytes = readIndexFile(await builtIndex());
const index = openIndex(bytes);
const engine = openEngine(bytes);
const observeAll = (queries: readonly JudgedQuery[]) => queries.flatMap((query) => observe(engine, query) ?? []);
const observeBeginnings = (seed: number) =>
  [...beginnings(index, BEGINNINGS_PER_LETTER_COUNT, seed)].map(([letters, queries]) => ({
    letters,
    observations: observeAll(queries),
  }));

const sampled = observeHalves(engine, sampledQueries(index, SAMPLED_QUERIES));
const words = observeHalves(engine, ordinaryWords(engine, ORDINARY_WORDS));
const judged = values.cases === undefined ? undefined : observeHalves(engine, readQueryFiles(values.cases));
const { keptOut } = judged ?? sampled;
const calibration = values.fit ? fitFigures() : CALIBRATION;
if (values.fit) writeCalibration(calibration);

const claims = (observations: readonly Observation[]) => claimsAbout(observations, calibration);
const wholeClaims = claims(keptOut.whole);
const typing = observeBeginnings(MEASURING_SEED).map(({ letters, observations }) => ({
  letters,
  claims: claims(observations),
}));
const typingClaims = typing.flatMap((row) => row.claims);
const rows: Row[] = [
  { name: 'whole queries', claims: wholeClaims },
  { name: `… of confidence ${SURE} or more`, claims: wholeClaims.filter(({ confidence }) => confidence >= SURE) },
  ...[...Map.groupBy(keptOut.whole, ({ page }) => page.kind)].map(([kind, observations]) => ({
    name: `… ${kind}`,
    claims: claims(observations),
  })),
  { name: 'with a misspelt region', claims: claims(keptOut.misspeltRegion) },
  { name: 'ordinary words', claims: claims(words.keptOut.whole) },
  { name: 'beginnings', claims: typingClaims },
  ...typing.map((row) => ({ name: `… of ${row.letters} letters`, claims: row.claims })),
];
print(String(textTable(rows, columns())));
const bins = reliabilityBins(wholeClaims);
print(`\n${textTable(bins, binColumns())}`);

if (values.diagrams !== undefined) {
  drawDiagram('confidence.svg', 'Whole queries', wholeClaims);
  drawDiagram('typing-confidence.svg', 'Beginnings of 2 to 8 letters', typingClaims);
}

function fitFigures(): Calibration {
  const typed = observeBeginnings(FITTING_SEED).flatMap(({ observations }) => observations);
  const classes = errorClasses(index, engine, GENERATED_PER_CLASS, FITTING_SEED);
  const [errors = [], absent = []] = [false, true].map((isAbsent) =>
    observeAll(classes.filter((each) => each.isAbsent === isAbsent).flatMap(({ queries }) => queries)),
  );
  const isWholeName = ({ page }: Observation) => WHOLE_NAME_KINDS.includes(page.kind);
  const isRegion = ({ page }: Observation) => page.kind === 'regionAlone';
  const sets = [
    { observations: sampled.toFit, weight: WEIGHTS.sampled },
    { observations: judged?.toFit ?? [], weight: WEIGHTS.judged },
    { observations: words.toFit, weight: WEIGHTS.words },
    { observations: typed.filter((observation) => !isWholeName(observation)), weight: WEIGHTS.beginnings },
    { observations: typed.filter(isWholeName), weight: WEIGHTS.wholeNameBeginnings },
    // the generated queries do not say which of several namesakes, or of a region's places, is meant
    {
      observations: errors.filter((observation) => !isWholeName(observation) && !isRegion(observation)),
      weight: WEIGHTS.errors,
    },
    { observations: absent, weight: WEIGHTS.absent },
  ];
  return fitCalibration(sets, CALIBRATION);
}

function drawDiagram(file: string, title: string, drawn: readonly Claim[]): void {
  const error = expectedCalibrationError(drawn).toFixed(3);
  const subtitle = `${drawn.length} queries that took no part in fitting; calibration error ${error}`;
  const diagram = reliabilityDiagram(reliabilityBins(drawn), { title, subtitle });
  writeFileSync(join(values.diagrams!, file), diagram);
}

interface Row {
  readonly name: string;
  readonly claims: readonly Claim[];
}

function columns(): Column<Row>[] {
  return [{ title: 'queries kept out', value: ({ name }) => name }, ...CLAIM_COLUMNS];
}

function binColumns(): Column<(typeof bins)[number]>[] {
  return [
    { title: 'confidence', value: ({ from, to }) => `${from} to ${to}` },
    { title: 'count', value: ({ count }) => String(count), align: 'right' },
    { title: 'mean', value: ({ meanConfidence }) => meanConfidence.toFixed(3), align: 'right' },
    { title: 'right', value: ({ right }) => right.toFixed(3), align: 'right' },
  ];
}

/** Replaces the table in calibration.ts. */
function writeCalibration(fitted: Calibration): void {
  const source = readFileSync(CALIBRATION_FILE, 'utf8');
  const head = source.slice(0, source.indexOf('{\n', source.indexOf('CALIBRATION: Calibration')));
  const lines = Object.entries(fitted).map(([kind, row]) => {
    const figures = Object.entries(row).map(([name, value]) => `    ${name}: ${value},\n`);
    return `  ${kind}: {\n${figures.join('')}  },\n`;
  });
  writeFileSync(CALIBRATION_FILE, `${head}{\n${lines.join('')}};\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
