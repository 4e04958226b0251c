/**
 * `toponym query`, `reverse` and `get`: the API endpoints as commands, without a server. `toponym explain` is
 * `toponym query --explain`. Help and completion load neither the engine nor the code of the API.
 */

import { type Command, Option } from 'commander';
import { MAX_RECORDS } from 'toponym-access/keys/key-record';
import type { Dataset } from 'toponym-engine/engine';
import { type EndpointName, OPTIONS, type OptionDefinition, type OptionName, optionsOf } from 'toponym-engine/options';
import { didYouMean } from 'toponym-files/errors/did-you-mean';
import { UsageError } from 'toponym-files/errors/errors';
import { commandName } from 'toponym-files/program';
import { RequestError } from 'toponym-server/http/errors';
import { formatExplanation } from '../explain/explanation.ts';
import { addExamples } from '../help.ts';
import { noteOldData } from '../print/data-text.ts';
import { shellQuote } from '../print/facts.ts';
import { NotFoundError, print, printResult } from '../print/output.ts';
import { formatHits, formatRecord } from '../print/place-text.ts';
import { type StyledText, styled } from '../print/styled-text.ts';
import { addSettings, readSettings } from '../settings/read-settings.ts';
import { flagFor } from '../settings/settings.ts';

interface PlaceCommand {
  readonly name: string;
  readonly endpoint: EndpointName;
  /** The API option whose value is the argument of the command. */
  readonly argumentOption: OptionName;
  /** Joins the words of an argument of several. */
  readonly join?: (words: readonly string[]) => string;
  readonly examples: readonly string[];
  /** A sentence of the help, before the examples. */
  readonly remark?: string;
  /** Hits to print, on terminals and in pipes, unless `--hits-per-page` is given. */
  readonly printedHits?: number;
  readonly format: (response: object) => StyledText;
}

const PLACE_COMMANDS: readonly PlaceCommand[] = [
  {
    name: 'query',
    endpoint: 'query',
    argumentOption: 'query',
    join: (words) => words.join(' '),
    examples: [
      'toponym query paris texas',
      'toponym query san --type city,town --countries us',
      'toponym query par --around-lat-lng 33.6,-95.5',
      'toponym query springfield il --explain',
    ],
    remark: 'The command "explain" is "query --explain".',
    format: formatHits,
  },
  {
    name: 'reverse',
    endpoint: 'reverse',
    argumentOption: 'aroundLatLng',
    join: joinPoint,
    printedHits: 1,
    remark: 'It prints one place unless --hits-per-page asks for more. The JSON has 20, as that of the API.',
    examples: [
      'toponym reverse 48.8530,2.3499',
      'toponym reverse 54.36,10.11 --mode containing',
      'toponym reverse -33.87,151.21 --type city --hits-per-page 3',
    ],
    format: formatHits,
  },
  {
    name: 'get',
    endpoint: 'id',
    argumentOption: 'objectID',
    examples: ['toponym get G2988507', 'toponym get G2988507 --language ja'],
    format: formatRecord,
  },
];

/** The default of `printedHits` on a terminal: the best hit must not scroll away. */
const TERMINAL_HITS = 10;

export function addPlaceCommand(command: Command): void {
  const definition = PLACE_COMMANDS.find(({ name }) => name === command.name())!;
  const { argumentOption, join } = definition;
  addExamples(command, definition.examples, definition.remark);
  const options = flagOptions(definition);
  const flags = options.map((option) => ({ option, flag: createFlag(option) }));
  for (const { flag } of flags) command.addOption(flag);
  if (definition.name === 'query') command.option('--explain', 'explain the order of the hits');
  addSettings(command, ['index', 'overlay', 'state'])
    .option('--json', 'print the JSON response of the API')
    .action(async (words: string | readonly string[], flagValues: Record<string, unknown>) => {
      const value = typeof words === 'string' ? words : (join?.(words) ?? ''); // `words` is a list if `join` is defined
      const given = new URLSearchParams({ [argumentOption]: value });
      for (const { option, flag } of flags) {
        const text = flagValues[flag.attributeName()];
        if (text !== undefined) given.set(option, String(text));
      }
      const isExplained = flagValues.explain === true || command.parent?.args[0] === 'explain';
      if (isExplained) given.set('getRankingInfo', 'true');
      const isJson = flagValues.json === true;
      const printedHits = definition.printedHits ?? (process.stdout.isTTY ? TERMINAL_HITS : MAX_RECORDS);
      const isShortened = !isJson && options.includes('hitsPerPage') && !given.has('hitsPerPage');
      if (isShortened) given.set('hitsPerPage', String(printedHits));
      const settings = readSettings(flagValues);
      const { callEndpoint, checkLanguage, openPlaces } = await import('./place-endpoints.ts');
      checkLanguage(given.get('language'));
      const response = await callEndpoint(definition.endpoint, given, () => openPlaces(settings)).catch(
        (error: unknown) => {
          const placeholder = command.registeredArguments[0]?.name() ?? '';
          throw toCommandError(error, { option: argumentOption, placeholder, value });
        },
      );
      printResult(isJson, response, () => (isExplained ? formatExplanation(response) : definition.format(response)));
      if (isShortened && process.stdout.isTTY) noteMoreHits(response);
      if (!isJson && 'dataset' in response) noteOldData(response.dataset as Dataset, settings);
    });
}

function createFlag(name: OptionName): Option {
  const option: OptionDefinition = OPTIONS[name];
  const description = withFlagNames(option.description);
  if (isSwitch(option)) return new Option(flagName(name), description);
  const flag = new Option(`${flagName(name)} <value>`, description);
  const values = option.kind === 'boolean' ? ['true', 'false'] : option.values;
  if (values !== undefined) flag.argChoices = [...values];
  return flag;
}

/** The options of the API that are flags of the command. */
function flagOptions({ endpoint, argumentOption }: PlaceCommand): readonly OptionName[] {
  return optionsOf(endpoint).filter((name) => name !== argumentOption);
}

function noteMoreHits(response: object): void {
  const { hits = [], nbHits = 0 } = response as { hits?: readonly unknown[]; nbHits?: number };
  if (hits.length < nbHits) print(styled('faint', `More: --hits-per-page ${MAX_RECORDS}`));
}

/** Accepts `48.85,2.35`, `48.85, 2.35` and `48.85 2.35`. */
function joinPoint(words: readonly string[]): string {
  const text = words.join(' ').trim();
  return text.includes(',') ? text : text.replaceAll(/\s+/g, ',');
}

/** A boolean that defaults to true needs a value. */
function isSwitch({ kind, default: value }: OptionDefinition): boolean {
  return kind === 'boolean' && value === false;
}

/** `aroundLatLngViaIP` -> `--around-lat-lng-via-ip` */
function flagName(option: string): string {
  return flagFor(option.replace(/IP$/, 'Ip'));
}

/** Replaces names of API options with their flags. `argumentOption` has no flag. */
function withFlagNames(text: string, argumentOption?: OptionName): string {
  // only camelCase names, because `query` and `type` are also ordinary words
  return text.replaceAll(/\b[a-z]+[A-Z]\w+\b/g, (word) =>
    word !== argumentOption && Object.hasOwn(OPTIONS, word) ? flagName(word) : word,
  );
}

function toCommandError(
  error: unknown,
  argument: { readonly option: OptionName; readonly placeholder: string; readonly value: string },
): unknown {
  if (!(error instanceof RequestError)) return error;
  const { code, option, message } = error;
  if (code === 'object_not_found')
    return new NotFoundError(`${message}: ${argument.value}${suggestQuery(argument.value)}`);
  if (option === undefined || !message.startsWith(`${option}: `))
    return new UsageError(`${message}.`, { cause: error });
  const name = option === argument.option ? argument.placeholder : flagName(option);
  // the user's value after "got" stays unchanged
  const [rule = '', ...got] = message.slice(option.length).split(', got ');
  const hint = suggestValue(option, got.join(', got ')) || '.';
  return new UsageError(`${[name + withFlagNames(rule, argument.option), ...got].join(', got ')}${hint}`, {
    cause: error,
  });
}

/** For a name in place of an id, the command that finds it. */
function suggestQuery(id: string): string {
  return /^[A-Z]\d+$/i.test(id) ? '' : `; to find a place by its name: ${commandName()} query ${shellQuote(id)}`;
}

/** `quoted` is the unknown value in quotation marks. */
function suggestValue(option: string, quoted: string): string {
  const choices = option in OPTIONS ? (OPTIONS[option as OptionName] as OptionDefinition).values : undefined;
  const [, value] = /^"(.*)"$/s.exec(quoted) ?? [];
  return choices === undefined || value === undefined ? '' : didYouMean(value, choices);
}
