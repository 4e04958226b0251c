/** Settings as flags of commands, and their values. Each UsageError names the source of an invalid value. */

import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { type RedisSettings, redisRefusal } from 'toponym-access/redis/redis-settings';
import { didYouMean } from 'toponym-files/errors/did-you-mean';
import { errorReason, UsageError } from 'toponym-files/errors/errors';
import { pathExists, readTextFile } from 'toponym-files/regular-file';
import { previewJson } from 'toponym-gazetteer/sources/report';
import { BadValue, flagFor, SETTINGS, type Setting, type SettingKey, type Settings, variableFor } from './settings.ts';

const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_PASSWORD_BYTES = 4096;
const MAX_CA_BYTES = 1024 * 1024;

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
  if (setting.choices !== undefined) option.argChoices = [...setting.choices];
  return setting.isList ? option.argParser(collect) : option;
}

/** Parses a flag that may be repeated. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

/** Returns the value if it is one of `choices`. Otherwise throws UsageError. */
export function requireOneOf<const T extends string>(flag: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const rule = choices.length === 1 ? `must be ${choices[0]}` : `must be one of ${choices.join(', ')}`;
  throw new UsageError(`${flag}: ${rule}, got ${JSON.stringify(value)}${didYouMean(value, choices) || '.'}`);
}

interface SettingSources {
  /** By key of the setting: a text, a list of texts, or `true`. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the default `toponym.json`. */
  readonly workingFolder: string;
}

/** The value of a setting as the user wrote it. */
interface RawValue {
  readonly text: string;
  /** For messages, such as `--port` or `port in toponym.json`. */
  readonly source: string;
}

export function resolveSettings(sources: SettingSources): Settings {
  const fileValues = readConfigFile(sources);
  const entries = Object.keys(SETTINGS).map((key) => {
    const setting: Setting<unknown> = SETTINGS[key as SettingKey];
    const candidates = [fromFlag(key, setting, sources.flags), fromEnvironment(key, sources.env), fileValues.get(key)];
    // overridden values are checked too: they would fail once the overriding value is removed
    const [value] = candidates.filter((each) => each !== undefined).map((each) => parseRaw(setting, each));
    return [key, value ?? parseDefault(setting)];
  });
  return Object.fromEntries(entries) as Settings;
}

function fromFlag(key: string, setting: Setting<unknown>, flags: SettingSources['flags']): RawValue | undefined {
  const value = flags[key];
  if (value === undefined) return undefined;
  const text = Array.isArray(value) ? value.join(',') : String(value);
  const refusal = setting.flagRefusal?.(text);
  if (refusal !== undefined) throw new UsageError(`${flagFor(key)}: ${refusal}.`);
  return { text, source: flagFor(key) };
}

/** An empty variable, as in `TOPONYM_PORT= toponym serve`, counts as not set. */
function fromEnvironment(key: string, env: SettingSources['env']): RawValue | undefined {
  const name = variableFor(key);
  const text = env[name];
  return text === undefined || text === '' ? undefined : { text, source: `environment variable ${name}` };
}

function readConfigFile({ flags, env, workingFolder }: SettingSources): Map<string, RawValue> {
  const givenPath = flags.config ?? (env.TOPONYM_CONFIG || undefined);
  const path = givenPath === undefined ? join(workingFolder, 'toponym.json') : String(givenPath);
  if (givenPath === undefined && !pathExists(path)) return new Map();
  const entries = Object.entries(parseConfig(path)).map(([key, value]): [string, RawValue] => {
    if (!Object.hasOwn(SETTINGS, key)) {
      const known = Object.keys(SETTINGS);
      const hint = didYouMean(key, known) || `. Known settings: ${known.join(', ')}.`;
      throw new UsageError(`${path}: unknown setting "${key}"${hint}`);
    }
    const source = `${key} in ${path}`;
    return [key, { text: configText(value, source, SETTINGS[key as SettingKey]), source }];
  });
  return new Map(entries);
}

function parseConfig(path: string): object {
  let text: string;
  try {
    text = readTextFile(path, MAX_CONFIG_BYTES);
  } catch (error) {
    throw new UsageError(`The configuration file ${path} cannot be read: ${errorReason(error)}.`, { cause: error });
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch (error) {
    throw new UsageError(`${path} is not valid JSON${jsonFault(error as SyntaxError)}.`);
  }
  throw new UsageError(`${path} must contain one JSON object, such as { "port": 8443 }.`);
}

/** V8's reason, without what it quotes of the file after a comma: that may hold a password. */
function jsonFault({ message }: SyntaxError): string {
  const [reason] = /^Unexpected token '.'(?=, )|^[^"]+$/su.exec(message) ?? [];
  return reason === undefined ? '' : `: ${reason}`;
}

function configText(value: unknown, source: string, { isSecret }: Setting<unknown>): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
  const got = isSecret ? 'a value that is not shown' : previewJson(value);
  throw new UsageError(`${source}: must be a string, a number, true, false or a list of strings, got ${got}.`);
}

function parseRaw(setting: Setting<unknown>, { text, source }: RawValue): unknown {
  try {
    return setting.parse(text);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    const hint = didYouMean(text, error.choices) || '.';
    throw new UsageError(`${source}: ${error.message}, got ${previewJson(maskSecrets(text))}${hint}`, { cause: error });
  }
}

/** Masks the user, password and query of a URL, even of an invalid one. */
function maskSecrets(text: string): string {
  return text.replace(/:\/\/.*@/, '://…@').replace(/(:\/\/[^?]*\?).*/s, '$1…');
}

function parseDefault(setting: Setting<unknown>): unknown {
  return setting.defaultText === undefined ? undefined : setting.parse(setting.defaultText);
}

/** Returns undefined if no Redis is given. Throws UsageError if the settings do not fit together. */
export function redisSettings(settings: Settings): RedisSettings | undefined {
  const { redis: nodes, redisMode: mode, redisPassword, redisPasswordFile, redisCa, redisPrefix } = settings;
  if (nodes === undefined) {
    if (mode.kind !== 'standalone') throw new UsageError('--redis-mode needs --redis with at least one URL.');
    return undefined;
  }
  const refusal = redisRefusal({ mode, nodes });
  if (refusal !== undefined) throw new UsageError(`--redis: ${refusal}.`);
  if (redisCa !== undefined && !nodes.every(({ isTls }) => isTls)) {
    throw new UsageError('--redis-ca needs rediss:// URLs: redis:// does not use TLS.');
  }
  const password = redisPassword ?? readFile('--redis-password-file', redisPasswordFile, MAX_PASSWORD_BYTES)?.trim();
  if (password === '') throw new UsageError(`--redis-password-file: the file ${redisPasswordFile} is empty.`);
  return { mode, nodes, password, ca: readFile('--redis-ca', redisCa, MAX_CA_BYTES), prefix: redisPrefix };
}

function readFile(flag: string, path: string | undefined, maxBytes: number): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readTextFile(path, maxBytes);
  } catch (error) {
    throw new UsageError(`${flag}: the file ${path} cannot be read: ${errorReason(error)}.`, { cause: error });
  }
}
