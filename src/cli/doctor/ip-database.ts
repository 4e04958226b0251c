/** The databases that locate IP addresses, and their age. */
import { UsageError } from '../../errors/usage-error.ts';
import { MAX_DATA_AGE_DAYS } from '../../http/data-age.ts';
import { type CheckedIpDatabase, openIpReader } from '../../locate/ip-database.ts';
import { checkIpDatabases } from '../../serve/ip-databases.ts';
import type { Logger } from '../../serve/log.ts';
import { daysBetween, formatDay, formatDays } from './age.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';

export function checkIpDatabase({ settings: { ipDatabase: paths }, now }: DoctorContext): Verdict[] {
  if (paths?.[0] === 'none') return [ok('none, as set: aroundLatLngViaIP locates no address')];
  const verdicts: Verdict[] = [];
  const warn = (message: string) =>
    verdicts.push(warning(message, 'Install the optional package (npm install), or name .mmdb files.'));
  try {
    const databases = checkIpDatabases(paths, { warn } as Pick<Logger, 'warn'>);
    return [...verdicts, ...databases.map((each) => judgeAge(each, now))];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [problem(error.message, 'Name a MaxMind DB file with --ip-database, or "none".')];
  }
}

function judgeAge({ database }: CheckedIpDatabase, now: Date): Verdict {
  const { buildEpoch } = openIpReader(database).metadata;
  const days = Math.max(0, daysBetween(buildEpoch, now));
  const message = `${database.path} of ${formatDay(buildEpoch)}, ${formatDays(days)} old`;
  if (days <= MAX_DATA_AGE_DAYS) return ok(message);
  return warning(message, 'Download a newer file (DB-IP publishes one each month) and name it with --ip-database.');
}
