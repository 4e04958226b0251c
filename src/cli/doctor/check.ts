/** A part of `toponym doctor` that examines one area. It must change nothing. */
import type { RedisSettings } from '../../access/redis/redis-settings.ts';
import type { StateFolder } from '../../serve/state/state-folder.ts';
import type { Settings } from '../settings/settings.ts';
import type { Verdict } from './finding.ts';

export interface DoctorContext {
  readonly settings: Settings;
  readonly state: StateFolder;
  /** Undefined without --redis, and if its settings are refused. */
  readonly redis: RedisSettings | undefined;
  readonly now: Date;
}

export interface Check {
  readonly area: string;
  /** Whether the check waits for another process or machine. It must not block this thread. */
  readonly isRemote?: true;
  readonly examine: (context: DoctorContext) => Verdict[] | Promise<Verdict[]>;
}
