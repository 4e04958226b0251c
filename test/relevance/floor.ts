/**
 * The floor: the minimum number of passing cases per topic. It only rises, unless somebody edits
 * the file for a stated reason.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { TopicOutcome } from './run-topics.ts';

/** Topic name -> passing cases. */
export type Floor = Readonly<Record<string, number>>;

const file = new URL('floor.json', import.meta.url);

export function readFloor(): Floor {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The floor raised to the number of cases that pass now. It is never lowered. */
export function raisedFloor(floor: Floor, topics: readonly TopicOutcome[]): Floor {
  return Object.fromEntries(topics.map(({ name, passed }) => [name, Math.max(floor[name] ?? 0, passed)]));
}

export function writeFloor(floor: Floor): void {
  writeFileSync(file, `${JSON.stringify(floor, undefined, 2)}\n`);
}
