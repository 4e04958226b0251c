/** Adds settings to a command as flags, and reads their values when the command runs. */
import { type Command, Option } from 'commander';
import { resolveSettings } from './resolve-settings.ts';
import { flagFor, SETTINGS, type Setting, type SettingKey, type Settings, variableFor } from './settings.ts';

export function addSettings(command: Command, keys: readonly SettingKey[]): Command {
  for (const key of keys) {
    const setting: Setting<unknown> = SETTINGS[key];
    if (!setting.isSecret) command.addOption(createOption(key, setting));
    if (setting.hasNegation) command.option(flagFor(key).replace('--', '--no-'), `turn --${key} off`);
  }
  return command.option('--config <file>', 'configuration file [TOPONYM_CONFIG] (default: toponym.json, if it exists)');
}

export function readSettings(flags: object): Settings {
  return resolveSettings({ flags: { ...flags }, env: process.env, workingFolder: process.cwd() });
}

function createOption(key: SettingKey, setting: Setting<unknown>): Option {
  const value = setting.placeholder === undefined ? '' : ` <${setting.placeholder}>`;
  const shownDefault = setting.defaultDescription ?? setting.defaultText;
  const option = new Option(
    `${flagFor(key)}${value}`,
    `${setting.description} [${variableFor(key)}] (default: ${shownDefault})`,
  );
  return setting.isList ? option.argParser(collect) : option;
}

function collect(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
