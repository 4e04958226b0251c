/** Tests of daily quotas that run on the real clock. */
import { DAY_MS } from 'toponym-access/limits/quota-table';

/** Days since 1970, in UTC. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

/** Runs a test again if it failed and midnight UTC has passed meanwhile. */
export async function withinOneDay(run: () => Promise<void>): Promise<void> {
  const day = dayOf(Date.now());
  try {
    await run();
  } catch (error) {
    if (dayOf(Date.now()) === day) throw error;
    await run();
  }
}
