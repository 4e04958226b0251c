/** The readings of a query, each of which can be switched off. Importing this module changes them. */
import { READINGS, type Reading } from 'toponym-engine/search/readings';

export interface Part {
  readonly name: string;
  isOff: boolean;
  /** Set by each search that would run the part, even if it is off. */
  hasRun: boolean;
}

export const PARTS: readonly Part[] = READINGS.map((reading) => {
  const part: Part = { name: reading.name, isOff: false, hasRun: false };
  const { run } = reading;
  (reading as { run: Reading['run'] }).run = (state, price) => {
    part.hasRun = true;
    if (!part.isOff) run(state, price);
  };
  return part;
});
