/** A context for checks of `toponym doctor`, with flags as a user gives them, and the lines of a check. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createContext, type DoctorContext } from '../../../src/cli/doctor/check.ts';
import { CHECKS, examine } from '../../../src/cli/doctor/examine.ts';
import { resolveSettings } from '../../../src/cli/settings/read-settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export interface ContextSketch {
  readonly flags?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: Date | undefined;
  readonly machine?: Partial<DoctorContext['machine']>;
}

/** The state folder does not exist yet, and its parent is a new folder. */
export function aContext(test: Pick<TestContext, 'after'>, sketch: ContextSketch = {}): DoctorContext {
  const { flags = {}, env = {}, now, machine } = sketch;
  const workingFolder = temporaryFolder(test);
  const state = join(workingFolder, 'state');
  const context = createContext(resolveSettings({ flags: { state, ...flags }, env, workingFolder }));
  return { ...context, now: now ?? context.now, machine: { ...context.machine, ...machine } };
}

/** Level and message of each finding in an area, and its advice after an arrow. */
export async function linesOf(area: string, context: DoctorContext): Promise<string[]> {
  const findings = await examine(
    context,
    CHECKS.filter((check) => check.area === area),
  );
  return findings.map((finding) => {
    const line = `${finding.level}: ${finding.message}`;
    return finding.level === 'ok' ? line : `${line} -> ${finding.advice}`;
  });
}

export async function textOf(area: string, context: DoctorContext): Promise<string> {
  return (await linesOf(area, context)).join('\n');
}
