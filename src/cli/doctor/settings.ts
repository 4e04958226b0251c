/** The settings: those that `toponym serve` would refuse, or warn of. */
import { errorMessage } from '../../errors/error-message.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { resolveAddress } from '../../serve/listen/listen-address.ts';
import { checkProxySettings, warnOfProxySettings } from '../../serve/listen/proxy-settings.ts';
import type { Logger } from '../../serve/log.ts';
import { checkMetricsSettings } from '../../serve/metrics/metrics-settings.ts';
import { checkTlsSettings } from '../../serve/tls/service-certificate.ts';
import { redisSettings } from '../settings/redis-access.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';

export async function checkSettings({ settings }: DoctorContext): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const warn = (message: string) => verdicts.push(settingWarning(message));
  const log = { warn } as Pick<Logger, 'warn'>;
  const steps: (() => unknown)[] = [
    () => checkProxySettings(settings),
    () => checkTlsSettings(settings),
    () => redisSettings(settings),
    async () => {
      const address = await resolveAddress(settings);
      checkMetricsSettings(address, settings, log);
      warnOfProxySettings(address, settings, log);
    },
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      verdicts.push(settingProblem(error));
    }
  }
  return verdicts.length > 0 ? verdicts : [ok('the service accepts them')];
}

/** For a setting that `toponym serve` refuses. */
export function settingProblem(error: UsageError): Verdict {
  return problem(errorMessage(error), 'Correct the setting: "toponym serve" does not start with it.');
}

function settingWarning(message: string): Verdict {
  return warning(message, 'Change the setting, unless this is what you want.');
}
