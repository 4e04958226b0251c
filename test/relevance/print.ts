/**
 * `npm run relevance`: a table of the topics, then the failing cases with their first hits. Options:
 *
 *   --generated  a table of the generated queries instead
 *   --seed N     generates other queries
 *   --ablate     a table of what the result would be without each part of the search, one at a time
 *   --suites DIR for --ablate: folders of judged queries, too (ablation/suites.ts has the format)
 *   --raise      raises the floor to the number of cases, or of generated queries, that pass now
 */
import { parseArgs } from 'node:util';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { openEngine } from 'toponym-engine/open-engine';
import { readIndexFile } from 'toponym-files/index-file';
import { type Column, textTable } from 'toponym-program/cli/print/text-table';
import { builtIndex } from '../support/built-index.ts';
import { generatedSuites, judgedSuites, ownCases } from './ablation/suites.ts';
import { TOPICS } from './cases.ts';
import { errorClasses, SEED } from './generated/classes.ts';
import { CLASS_COLUMNS, GENERATED_FLOOR, measure, QUERIES_PER_CLASS, testedOutcomes } from './generated/measuring.ts';
import { describeFailures, raisedFloor, readFloor, runTopics, type TopicOutcome, writeFloor } from './scoring.ts';

const { values } = parseArgs({
  options: {
    generated: { type: 'boolean', default: false },
    ablate: { type: 'boolean', default: false },
    suites: { type: 'string' },
    seed: { type: 'string', default: String(SEED) },
    raise: { type: 'boolean', default: false },
  },
});
const bytes = readIndexFile(await builtIndex());
const engine = openEngine(bytes);
if (values.ablate) await printAblation();
else if (values.generated) printGenerated();
else printTopics();

async function printAblation(): Promise<void> {
  const { ablate, totalWorth, WORTH_COLUMNS } = await import('./ablation/ablation.ts'); // changes the stages
  const generated = generatedSuites(openIndex(bytes), engine);
  const judged = values.suites === undefined ? [] : judgedSuites(values.suites, engine);
  const worths = ablate([...generated, ownCases(), ...judged], () => openEngine(bytes));
  const names = new Set(generated.map(({ name }) => name));
  const rows = [...worths].flatMap((ofPart) => {
    const [ofGenerated = [], others = []] = [true, false].map((is) =>
      ofPart.filter(({ suite }) => names.has(suite) === is),
    );
    const changed = ofGenerated.filter(({ lost, gained }) => lost + gained > 0);
    return [totalWorth(ofPart, 'all'), totalWorth(ofGenerated, 'generated'), ...others, ...changed];
  });
  print(`${textTable(rows, WORTH_COLUMNS)}`);
}

function printGenerated(): void {
  const index = openIndex(bytes);
  const classes = errorClasses(index, engine, QUERIES_PER_CLASS, Number(values.seed));
  const outcomes = classes.map((ofClass) => measure(engine, ofClass));
  print(`${textTable(outcomes, CLASS_COLUMNS)}`);
  if (values.raise) raise(testedOutcomes(index, engine), GENERATED_FLOOR);
}

function printTopics(): void {
  const floor = readFloor();
  const topics = runTopics(engine, TOPICS);
  const all: TopicOutcome = {
    name: 'all',
    outcomes: topics.flatMap(({ outcomes }) => outcomes),
    passed: total(topics.map(({ passed }) => passed)),
    first: total(topics.map(({ first }) => first)),
  };
  const floorOf = (topic: TopicOutcome) => (topic === all ? total(Object.values(floor)) : (floor[topic.name] ?? 0));
  const columns: Column<TopicOutcome>[] = [
    { title: 'topic', value: ({ name }) => name },
    { title: 'cases', value: ({ outcomes }) => String(outcomes.length), align: 'right' },
    { title: 'passed', value: ({ passed }) => String(passed), align: 'right' },
    { title: 'floor', value: (topic) => String(floorOf(topic)), align: 'right' },
    { title: 'first place', value: ({ first, outcomes }) => percent(first, outcomes.length), align: 'right' },
  ];
  const failing = topics.filter(({ passed, outcomes }) => passed < outcomes.length);
  print([textTable([...topics, all], columns), ...failing.map(describeFailures)].join('\n\n'));
  if (values.raise) raise(topics);
}

function raise(outcomes: Parameters<typeof raisedFloor>[1], file?: URL): void {
  writeFloor(raisedFloor(readFloor(file), outcomes), file);
  print('\nfloor.json written.');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)}%`;
}
