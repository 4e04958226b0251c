/**
 * Settings from their three places: flags, environment, `toponym.json`. Every refusal says which place a value came from.
 */
import { join } from 'node:path';
import { errorMessage } from '../../errors/error-message.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { isNameTaken } from '../../files/private-file.ts';
import { readTextFile } from '../../files/regular-file.ts';
import { previewJson } from '../../sources/json-preview.ts';
import { BadValue, flagOf, SETTINGS, type Setting, type SettingKey, type Settings, variableOf } from './settings.ts';

const MAX_CONFIG_BYTES = 1024 * 1024;

export interface SettingSources {
  /** By setting key, as commander collects them: text, `true` for a switch, a list for a repeated flag. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where `toponym.json` is looked for. */
  readonly workingFolder: string;
}

interface Given {
  readonly text: string;
  readonly source: string;
}

export function resolveSettings(sources: SettingSources): Settings {
  const file = readConfigFile(sources);
  const entries = Object.keys(SETTINGS).map((key) => {
    const setting: Setting<unknown> = SETTINGS[key as SettingKey];
    const given = [fromFlag(key, sources.flags), fromEnvironment(key, sources.env), file.get(key)];
    // a value that another one overrides is checked too: it would fail as soon as the other is removed
    const values = given.filter((each) => each !== undefined).map((each) => parseGiven(setting, each));
    return [key, values.length === 0 ? fallbackOf(setting) : values[0]];
  });
  return Object.fromEntries(entries) as Settings;
}

function fromFlag(key: string, flags: SettingSources['flags']): Given | undefined {
  const value = flags[key];
  if (value === undefined) return undefined;
  return { text: Array.isArray(value) ? value.join(',') : String(value), source: flagOf(key) };
}

/** An empty variable counts as not set, as in most programs: `TOPONYM_PORT= toponym serve`. */
function fromEnvironment(key: string, env: SettingSources['env']): Given | undefined {
  const name = variableOf(key);
  const text = env[name];
  return text === undefined || text === '' ? undefined : { text, source: `environment variable ${name}` };
}

function readConfigFile({ flags, env, workingFolder }: SettingSources): Map<string, Given> {
  const named = flags.config ?? (env.TOPONYM_CONFIG || undefined);
  const path = named === undefined ? join(workingFolder, 'toponym.json') : String(named);
  if (named === undefined && !isNameTaken(path)) return new Map();
  const given = Object.entries(parseConfig(path)).map(([key, value]): [string, Given] => {
    if (!Object.hasOwn(SETTINGS, key)) {
      throw new UsageError(`${path}: unknown setting "${key}". Known settings: ${Object.keys(SETTINGS).join(', ')}.`);
    }
    return [key, { text: textOf(value, `${key} in ${path}`), source: `${key} in ${path}` }];
  });
  return new Map(given);
}

function parseConfig(path: string): object {
  let text: string;
  try {
    text = readTextFile(path, MAX_CONFIG_BYTES);
  } catch (error) {
    throw new UsageError(`The configuration file ${path} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch (error) {
    // the reason quotes the file, line breaks included
    const reason = errorMessage(error).replaceAll(/\s+/g, ' ');
    throw new UsageError(`${path} is not valid JSON: ${reason}.`, { cause: error });
  }
  throw new UsageError(`${path} must hold one JSON object, such as { "port": 8443 }.`);
}

function textOf(value: unknown, source: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
  throw new UsageError(`${source}: must be text, a number, true, false or a list of texts, got ${previewJson(value)}.`);
}

function parseGiven(setting: Setting<unknown>, { text, source }: Given): unknown {
  try {
    return setting.parse(text);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new UsageError(`${source}: ${error.message}, got ${previewJson(withoutPassword(text))}.`, { cause: error });
  }
}

/** Without the user and password of an address, be it right or wrong. */
function withoutPassword(text: string): string {
  return text.replace(/:\/\/.*@/, '://…@');
}

function fallbackOf(setting: Setting<unknown>): unknown {
  return setting.fallback === undefined ? undefined : setting.parse(setting.fallback);
}
