/** File descriptors: each connection takes one. */
import { maxDescriptors } from '../../serve/metrics/process-limits.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';

/** For files, libraries, Redis and the metrics listener. */
const RESERVE = 512;
/** Clients keep their connections open. Two cores can answer as many clients that type. */
const MIN_CONNECTIONS = 10_000;
const ADVICE =
  'Raise the limit of the service: LimitNOFILE= in its systemd unit, --ulimit nofile= of its container, or ulimit -n.';

/** Node.js raises its soft limit to the hard limit, so the service would get the same `limit`. */
export function checkDescriptors(_context: DoctorContext, limit = maxDescriptors()): Verdict[] {
  if (limit === undefined) return [ok('the system does not tell their limit')];
  const message = `limit ${limit.toLocaleString('en')}`;
  const connections = limit - RESERVE;
  if (connections < 0) return [problem(`${message}: too few for the service to run`, ADVICE)];
  const count = `${connections.toLocaleString('en')} connections`;
  if (connections >= MIN_CONNECTIONS) return [ok(`${message}: enough for ${count}`)];
  return [warning(`${message}: enough for only ${count}`, ADVICE)];
}
