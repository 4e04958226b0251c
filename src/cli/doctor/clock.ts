/** The clock of this machine: certificates and keys end by it. */
import { statSync } from 'node:fs';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict } from './finding.ts';

/** This program did not exist before. */
const EARLIEST = new Date('2026-01-01');
const LATEST = new Date('2100-01-01');
/** Files of the state folder may come from a machine whose clock differs a little. */
const TOLERANCE_MS = 3_600_000;
const ADVICE = 'Set the clock, and keep it right with NTP (timedatectl set-ntp true).';

export function checkClock({ state, now }: DoctorContext): Verdict[] {
  const time = now.toISOString();
  if (now < EARLIEST || now > LATEST) return [problem(`it shows ${time}, which cannot be right`, ADVICE)];
  for (const path of [state.keysPath, state.firstKeyPath, state.redisKeysPath]) {
    const written = statSync(path, { throwIfNoEntry: false })?.mtime;
    if (written === undefined || written.getTime() <= now.getTime() + TOLERANCE_MS) continue;
    return [problem(`it shows ${time}, but ${path} was written later: ${written.toISOString()}`, ADVICE)];
  }
  return [ok(`it shows ${time}`)];
}
