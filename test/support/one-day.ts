/** Tests of daily quotas that run on the real clock. */
import { dayOf } from '../../src/access/limits/quota-table.ts';

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
