/** `toponym doctor`: examines the settings, the files and the machine of a service. */
import type { Command } from 'commander';
import { examineSettings } from '../doctor/examine.ts';
import { addExamples } from '../help.ts';
import { formatFindings } from '../print/finding-text.ts';
import { printResult } from '../print/output.ts';
import { addSettings, readSettings } from '../settings/read-settings.ts';
import { SERVE_SETTINGS } from '../settings/settings.ts';

export function addDoctorCommand(program: Command): void {
  const command = program.command('doctor').description('check the settings, files and machine of a service');
  addSettings(command, SERVE_SETTINGS)
    .option('--json', 'print a JSON list of {"area","level","message","advice"}')
    .action(async (flags: { json?: boolean }) => {
      const findings = await examineSettings(() => readSettings(flags));
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
