/**
 * `npm run calibrate`: tells how well confidence means correctness, on queries sampled from the
 * embedded data. Options:
 *
 *   --cases FOLDER  measures on judged queries instead: see query-files.ts
 *   --fit           first fits calibration.ts to half of the sampled and judged queries
 *   --diagram FILE  draws the reliability diagram
 *
 * The figures are always those of the other half, which takes no part in fitting.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Column, textTable } from '../../../src/cli/print/text-table.ts';
import { openEngine } from '../../../src/engine/open-engine.ts';
import { CALIBRATION } from '../../../src/engine/rank/calibration.ts';
import type { Calibration } from '../../../src/engine/rank/confidence.ts';
import { readIndexFile } from '../../../src/index-file/file.ts';
import { openIndex } from '../../../src/index-file/open-index.ts';
import { builtIndex } from '../../support/built-index.ts';
import { reliabilityDiagram } from './diagram.ts';
import { fitCalibration } from './fit.ts';
import { type Claim, claimsAbout, type Observation } from './observation.ts';
import { observeHalves } from './observed-halves.ts';
import { readQueryFiles } from './query-files.ts';
import { expectedCalibrationError, mean, reliabilityBins, shareRight } from './reliability.ts';
import { sampledQueries } from './sampled-queries.ts';

const SAMPLE_SIZE = 8000;
const SURE = 0.95;
const CALIBRATION_FILE = new URL('../../../src/engine/rank/calibration.ts', import.meta.url);

const { values } = parseArgs({
  options: { cases: { type: 'string' }, fit: { type: 'boolean', default: false }, diagram: { type: 'string' } },
});
const bytes = readIndexFile(await builtIndex());
const engine = openEngine(bytes);
const sampled = observeHalves(engine, sampledQueries(openIndex(bytes), SAMPLE_SIZE));
const judged = values.cases === undefined ? undefined : observeHalves(engine, readQueryFiles(values.cases));
const { keptOut } = judged ?? sampled;

const toFit = [...sampled.toFit, ...(judged?.toFit ?? [])];
const calibration = values.fit ? fitCalibration(toFit, CALIBRATION) : CALIBRATION;
if (values.fit) writeCalibration(calibration);

const claims = (observations: readonly Observation[]) => claimsAbout(observations, calibration);
const wholeClaims = claims(keptOut.whole);
const rows: Row[] = [
  { name: 'whole queries', claims: wholeClaims },
  { name: `… of confidence ${SURE} or more`, claims: wholeClaims.filter(({ confidence }) => confidence >= SURE) },
  ...[...Map.groupBy(keptOut.whole, ({ page }) => page.kind)].map(([kind, observations]) => ({
    name: `… ${kind}`,
    claims: claims(observations),
  })),
  { name: 'unfinished', claims: claims(keptOut.unfinished) },
  { name: 'with a misspelt region', claims: claims(keptOut.misspeltRegion) },
];
print(String(textTable(rows, columns())));
const bins = reliabilityBins(wholeClaims);
print(`\n${textTable(bins, binColumns())}`);

if (values.diagram !== undefined) {
  const error = expectedCalibrationError(wholeClaims).toFixed(3);
  writeFileSync(
    values.diagram,
    reliabilityDiagram(bins, {
      title: 'Confidence means correctness',
      subtitle: `${wholeClaims.length} queries that took no part in fitting; calibration error ${error}`,
    }),
  );
}

interface Row {
  readonly name: string;
  readonly claims: readonly Claim[];
}

function columns(): Column<Row>[] {
  return [
    { title: 'queries kept out', value: ({ name }) => name },
    { title: 'count', value: ({ claims }) => String(claims.length), align: 'right' },
    {
      title: 'confidence',
      value: ({ claims }) => mean(claims.map(({ confidence }) => confidence)).toFixed(3),
      align: 'right',
    },
    { title: 'right', value: ({ claims }) => shareRight(claims).toFixed(3), align: 'right' },
    { title: 'error', value: ({ claims }) => expectedCalibrationError(claims).toFixed(3), align: 'right' },
  ];
}

function binColumns(): Column<(typeof bins)[number]>[] {
  return [
    { title: 'confidence', value: ({ from, to }) => `${from} to ${to}` },
    { title: 'count', value: ({ count }) => String(count), align: 'right' },
    { title: 'mean', value: ({ meanConfidence }) => meanConfidence.toFixed(3), align: 'right' },
    { title: 'right', value: ({ right }) => right.toFixed(3), align: 'right' },
  ];
}

/** Replaces the table in calibration.ts, which has one row per line. */
function writeCalibration(fitted: Calibration): void {
  const source = readFileSync(CALIBRATION_FILE, 'utf8');
  const head = source.slice(0, source.indexOf('{\n', source.indexOf('CALIBRATION: Calibration')));
  const lines = Object.entries(fitted).map(([kind, { sharpness, none, nonePerScore, nonePerLetter }]) => {
    const figures = `sharpness: ${sharpness}, none: ${none}, nonePerScore: ${nonePerScore}, nonePerLetter: ${nonePerLetter}`;
    return `  ${kind}: { ${figures} },\n`;
  });
  writeFileSync(CALIBRATION_FILE, `${head}{\n${lines.join('')}};\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
