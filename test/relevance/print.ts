/**
 * `npm run relevance`: a table of the topics, then the failing cases with their first hits.
 * `npm run relevance -- --raise` also raises the floor to the number of cases that pass now.
 */
import { parseArgs } from 'node:util';
import { openEngine } from 'toponym-engine/open-engine';
import { readIndexFile } from 'toponym-files/index-file';
import { type Column, textTable } from 'toponym-program/cli/print/text-table';
import { builtIndex } from '../support/built-index.ts';
import { TOPICS } from './cases.ts';
import { describeFailures, raisedFloor, readFloor, runTopics, type TopicOutcome, writeFloor } from './scoring.ts';

const { values } = parseArgs({ options: { raise: { type: 'boolean', default: false } } });
const floor = readFloor();
const topics = runTopics(openEngine(readIndexFile(await builtIndex())), TOPICS);

const columns: Column<TopicOutcome>[] = [
  { title: 'topic', value: ({ name }) => name },
  { title: 'cases', value: ({ outcomes }) => String(outcomes.length), align: 'right' },
  { title: 'passed', value: ({ passed }) => String(passed), align: 'right' },
  { title: 'floor', value: (topic) => String(floorOf(topic)), align: 'right' },
  { title: 'first place', value: ({ first, outcomes }) => percent(first, outcomes.length), align: 'right' },
];
const all: TopicOutcome = {
  name: 'all',
  outcomes: topics.flatMap(({ outcomes }) => outcomes),
  passed: total(topics.map(({ passed }) => passed)),
  first: total(topics.map(({ first }) => first)),
};
const failing = topics.filter(({ passed, outcomes }) => passed < outcomes.length);
print([textTable([...topics, all], columns), ...failing.map(describeFailures)].join('\n\n'));

if (values.raise) {
  writeFloor(raisedFloor(floor, topics));
  print('\nfloor.json written.');
}

function floorOf(topic: TopicOutcome): number {
  return topic === all ? total(Object.values(floor)) : (floor[topic.name] ?? 0);
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
