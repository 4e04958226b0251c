/** File descriptors: each connection takes one. */
import { MAX_OPEN } from '../../http/connections.ts';
import { maxDescriptors } from '../../serve/metrics/process-limits.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';

/** For files, libraries, Redis and the metrics listener. */
const RESERVE = 512;
const ADVICE =
  'Raise the limit of the service: LimitNOFILE= in its systemd unit, --ulimit nofile= of its container, or ulimit -n.';

/** Node.js raises its soft limit to the hard limit, so the service would get the same `limit`. */
export function checkDescriptors({ settings }: DoctorContext, limit = maxDescriptors()): Verdict[] {
  if (limit === undefined) return [ok('the system does not tell their limit')];
  const needed = settings.threads * MAX_OPEN + RESERVE;
  const message = `limit ${limit.toLocaleString('en')}`;
  if (limit < RESERVE) return [problem(`${message}: too few for the service to run`, ADVICE)];
  if (limit >= needed) return [ok(`${message}: enough for ${settings.threads * MAX_OPEN} connections`)];
  const reason = `the service can hold ${limit - RESERVE} connections, and its threads could answer ${needed - RESERVE}`;
  return [warning(`${message}: ${reason}`, ADVICE)];
}
