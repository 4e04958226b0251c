/** Runs one scenario and its clean-up. An error that it throws is a promise not kept. */
import type { Check } from './checks.ts';
import type { FaultRun, Scenario } from './scenario.ts';

export interface ScenarioResult {
  readonly scenario: Pick<Scenario, 'name' | 'promise'>;
  readonly checks: readonly Check[];
  readonly held: boolean;
  readonly seconds: number;
}

export async function runScenario(scenario: Scenario, settings: Omit<FaultRun, 'after'>): Promise<ScenarioResult> {
  const startedMs = performance.now();
  const cleanUps: (() => unknown)[] = [];
  const checks: Check[] = [];
  try {
    checks.push(...(await scenario.run({ ...settings, after: (cleanUp) => cleanUps.push(cleanUp) })));
  } catch (error) {
    checks.push(failure('the scenario ran to its end', error));
  }
  for (const cleanUp of cleanUps.reverse()) {
    try {
      await cleanUp();
    } catch (error) {
      checks.push(failure('the scenario cleaned up', error));
    }
  }
  const { name, promise } = scenario;
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  return { scenario: { name, promise }, checks, held: checks.every(({ held }) => held), seconds };
}

function failure(measured: string, error: unknown): Check {
  const result = error instanceof Error ? error.message : String(error);
  return { measured, result, promised: 'no error', held: false };
}
