/** A context for checks of `toponym doctor`, with flags as a user gives them, and the lines of a check. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import type { DoctorContext } from '../../../src/cli/doctor/check.ts';
import { CHECKS, createContext, examine } from '../../../src/cli/doctor/examine.ts';
import { resolveSettings } from '../../../src/cli/settings/read-settings.ts';

export interface ContextSketch {
  readonly flags?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: Date | undefined;
}

/** The state folder does not exist yet, and its parent is a new folder. */
export function aContext(test: Pick<TestContext, 'after'>, sketch: ContextSketch = {}): DoctorContext {
  const { flags = {}, env = {}, now } = sketch;
  const workingFolder = temporaryFolder(test);
  const state = join(workingFolder, 'state');
  const context = createContext(resolveSettings({ flags: { state, ...flags }, env, workingFolder }));
  return { ...context, now: now ?? context.now };
}

/** A line for each finding of an area: level and message, then the advice after an arrow. */
export async function textOf(area: string, context: DoctorContext): Promise<string> {
  const checks = CHECKS.filter((check) => check.area === area);
  const lines = (await examine(context, checks)).map((finding) => {
    const line = `${finding.level}: ${finding.message}`;
    return finding.advice === undefined ? line : `${line} -> ${finding.advice}`;
  });
  return lines.join('\n');
}

/** What a check must find with these flags. A text is the whole of it. */
export type Case = readonly [sketch: ContextSketch, expected: RegExp | string];

export async function assertFindings(test: TestContext, area: string, cases: readonly Case[]): Promise<void> {
  for (const [sketch, expected] of cases) {
    const found = await textOf(area, aContext(test, sketch));
    if (typeof expected === 'string') assert.equal(found, expected);
    else assert.match(found, expected);
  }
}
