import { Command } from 'commander';
import { addSettings } from '../settings/read-settings.ts';
import { SERVE_SETTINGS } from '../settings/settings.ts';

/**
 * Reads the flags of `toponym serve` from the text of /proc/PID/cmdline: words that end with a zero
 * byte. The result is empty if the process is another program.
 */
export function serveFlags(commandLine: string): Record<string, unknown> {
  const words = commandLine.split('\0').slice(0, -1);
  const start = words.indexOf('serve');
  if (start === -1) return {};
  const command = addSettings(new Command('serve'), SERVE_SETTINGS).allowUnknownOption().allowExcessArguments();
  return command.parse(words.slice(start + 1), { from: 'user' }).opts();
}
