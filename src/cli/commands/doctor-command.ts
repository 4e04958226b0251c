/** `toponym doctor`: examines the settings, the files and the machine of a service. */
import type { Command } from 'commander';
import { UsageError } from '../../errors/usage-error.ts';
import { stateFolderAt } from '../../serve/state/state-folder.ts';
import type { DoctorContext } from '../doctor/check.ts';
import { examine } from '../doctor/examine.ts';
import type { Finding } from '../doctor/finding.ts';
import { settingProblem } from '../doctor/settings.ts';
import { addExamples } from '../help.ts';
import { formatFindings } from '../print/finding-text.ts';
import { printResult } from '../print/output.ts';
import { redisSettings } from '../settings/redis-access.ts';
import { addSettings, readSettings } from '../settings/setting-flags.ts';
import { SERVE_SETTINGS, type Settings } from '../settings/settings.ts';

export function addDoctorCommand(program: Command): void {
  const command = program.command('doctor').description('check the settings, files and machine of a service');
  addSettings(command, SERVE_SETTINGS)
    .option('--json', 'print a JSON list of {"area","level","message","advice"}')
    .action(async (flags: { json?: boolean }) => {
      const findings = await examineFlags(flags);
      printResult(flags.json, findings, () => formatFindings(findings));
      if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1;
      // a server that hangs must not keep this process alive
      process.stdout.write('', () => process.exit());
    });
  addExamples(
    command,
    ['toponym doctor', 'toponym doctor --index world.toponym --port 443 --host 0.0.0.0', 'toponym doctor --json'],
    'Give it the settings of "toponym serve". It changes nothing. It exits with 1 if there is a problem.',
  );
}

async function examineFlags(flags: object): Promise<Finding[]> {
  let settings: Settings;
  try {
    settings = readSettings(flags);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [{ area: 'settings', ...settingProblem(error) }];
  }
  return await examine(createContext(settings));
}

function createContext(settings: Settings): DoctorContext {
  return { settings, state: stateFolderAt(settings.state), redis: tryRedisSettings(settings), now: new Date() };
}

/** Returns undefined if the settings are refused, which the check of the settings reports. */
function tryRedisSettings(settings: Settings): DoctorContext['redis'] {
  try {
    return redisSettings(settings);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
