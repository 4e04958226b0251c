/**
 * Rows of the settings table as flags of a command.
 */
import { type Command, Option } from 'commander';
import { resolveSettings } from './resolve-settings.ts';
import { flagOf, SETTINGS, type Setting, type SettingKey, type Settings, variableOf } from './settings.ts';

/** Adds the flags, and `--config` for the file that can hold the same settings. */
export function addSettings(command: Command, keys: readonly SettingKey[]): Command {
  for (const key of keys) command.addOption(optionOf(key, SETTINGS[key]));
  return command.option(
    '--config <file>',
    'file with settings [TOPONYM_CONFIG] (default: toponym.json, if there is one)',
  );
}

/** The settings of a run: its flags, then the environment, then the file. */
export function settingsOf(flags: Readonly<Record<string, unknown>>): Settings {
  return resolveSettings({ flags, env: process.env, workingFolder: process.cwd() });
}

function optionOf(key: SettingKey, setting: Setting<unknown>): Option {
  const value = setting.placeholder === undefined ? '' : ` <${setting.placeholder}>`;
  const fallback = setting.fallbackText ?? setting.fallback;
  const option = new Option(
    `${flagOf(key)}${value}`,
    `${setting.describe} [${variableOf(key)}] (default: ${fallback})`,
  );
  return setting.isList ? option.argParser(collect) : option;
}

/** A list may be given as one comma list or flag by flag. */
function collect(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
