/**
 * `toponym query`, `reverse` and `get`: the endpoints of the API from the shell, without a server. Options are the API's,
 * read by the API's own code, so both take the same and answer the same.
 */
import { type Command, Option } from 'commander';
import { openEngine } from '../engine/open-engine.ts';
import { ENDPOINTS, type Endpoint, type EndpointName } from '../http/endpoints.ts';
import { RequestError } from '../http/errors.ts';
import { decoded } from '../http/json-bytes.ts';
import { OPTIONS, type OptionName } from '../http/options.ts';
import { readOptions } from '../http/request-options.ts';
import { embeddedIpDatabasePaths } from '../locate/embedded.ts';
import { readIpDatabase } from '../locate/ip-database.ts';
import { createLocator } from '../locate/locator.ts';
import { stateFolderAt } from '../serve/state-folder.ts';
import { UsageError } from '../serve/usage-error.ts';
import { loadIndex } from './load-index.ts';
import { NotFoundError, printResult } from './output.ts';
import { overlayAt } from './overlay-index.ts';
import { formatAnswer, formatRecord } from './place-text.ts';
import { addSettings, settingsOf } from './setting-flags.ts';
import type { Settings } from './settings.ts';

interface PlaceCommand {
  readonly name: string;
  readonly endpoint: EndpointName;
  /** The option that is the argument here. */
  readonly argument: OptionName;
  readonly placeholder: string;
  readonly describe: string;
  readonly format: (answer: object) => string;
}

const COMMANDS: readonly PlaceCommand[] = [
  {
    name: 'query',
    endpoint: 'query',
    argument: 'query',
    placeholder: '<text>',
    describe: 'find places by name',
    format: formatAnswer,
  },
  {
    name: 'reverse',
    endpoint: 'reverse',
    argument: 'aroundLatLng',
    placeholder: '<lat,lng>',
    describe: 'find the places closest to a point',
    format: formatAnswer,
  },
  {
    name: 'get',
    endpoint: 'id',
    argument: 'objectID',
    placeholder: '<id>',
    describe: 'show one place with all its names',
    format: formatRecord,
  },
];

export function addPlaceCommands(program: Command): void {
  for (const place of COMMANDS) addPlaceCommand(program, place);
}

function addPlaceCommand(program: Command, { name, endpoint: endpointName, argument, ...place }: PlaceCommand): void {
  const endpoint = ENDPOINTS.find((candidate) => candidate.name === endpointName);
  if (endpoint === undefined) throw new Error(`no endpoint ${endpointName}`);
  const command = program.command(name).description(place.describe).argument(place.placeholder);
  const options = endpoint.options
    .filter((option) => option !== argument)
    .map((option) => [option, flagFor(option)] as const);
  for (const [, flag] of options) command.addOption(flag);
  addSettings(command, ['index', 'overlay', 'state'])
    .option('--json', 'print what the API answers')
    .action(async (value: string, flags: Record<string, unknown>) => {
      const given = new URLSearchParams({ [argument]: value });
      for (const [option, flag] of options) {
        const text = flags[flag.attributeName()];
        if (text !== undefined) given.set(option, String(text));
      }
      const answer = await ask(endpoint, given, settingsOf(flags));
      printResult(flags.json === true, answer, () => place.format(answer));
    });
}

/** `aroundLatLngViaIP` -> `--around-lat-lng-via-ip` */
function flagFor(name: OptionName): Option {
  const dashed = name.replace(/IP$/, 'Ip').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const { description, example } = OPTIONS[name];
  return new Option(typeof example === 'boolean' ? `--${dashed}` : `--${dashed} <value>`, description);
}

async function ask(endpoint: Endpoint, given: URLSearchParams, settings: Settings): Promise<object> {
  try {
    const options = readOptions(`?${given}`, undefined, endpoint.options);
    const index = await loadIndex(settings.index, stateFolderAt(settings.state));
    const overlay = settings.overlay === undefined ? undefined : await overlayAt(settings.overlay).build(index);
    const answer = endpoint.answer(options, {
      engine: openEngine(index, overlay),
      maxRecords: 20,
      caller: { family: 4, bytes: [127, 0, 0, 1] },
      locate: (address) => createLocator(embeddedIpDatabasePaths().map(readIpDatabase))(address),
    });
    return JSON.parse(decoded(answer)) as object;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.code === 'object_not_found') throw new NotFoundError(`${error.message}: ${given.get('objectID')}`);
    throw new UsageError(`${error.message}.`, { cause: error });
  }
}
