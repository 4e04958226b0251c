/** What `toponym complete` tells the shells to offer. packages/toponym/test/cli/commands/completion-command.outside.test.ts has the shells. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from '../../../../../test/support/command.ts';

async function linesOf(words: readonly string[]): Promise<string[]> {
  const { stdout, stderr, code } = await runCommand(['complete', '--', ...words]);
  assert.deepEqual([code, stderr, stdout.at(-1)], [0, '', '\n']);
  return stdout.slice(0, -1).split('\n');
}

/** The kind, and the words without their descriptions. */
async function offerFor(line: string): Promise<readonly [kind: string | undefined, words: string[]]> {
  const [kind, ...lines] = await linesOf(line.split(' '));
  return [kind, lines.map((each) => each.split('\t', 1)[0] ?? '')];
}

/** Words of the line after `toponym`, the kind of the offer, and its words. */
const CASES: readonly (readonly [line: string, kind: string, ...words: string[]])[] = [
  ['keys copy --from ', 'words', 'sqlite', 'redis', 'redis-copy'],
  ['keys copy --from redis --to s', 'words', 'sqlite', 'redis'],
  ['reverse 1,1 --mode ', 'words', 'nearest', 'containing'],
  ['reverse 1,1 --mode=n', 'words', '--mode=nearest', '--mode=containing'],
  ['reverse -33.8,151.2 --mode = n', 'words', 'nearest', 'containing'],
  ['reverse 1,1 --mode =', 'words', 'nearest', 'containing'],
  ['query x --typo-tolerance ', 'words', 'true', 'false'],
  ['update --from g', 'words', 'geonames'],
  ['update --set ', 'words', 'cities500', 'cities1000', 'cities5000', 'cities15000', 'allCountries'],
  ['serve --log-level f', 'words', 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  ['serve --redis-mode ', 'words', 'standalone', 'cluster'],
  ['completion ', 'words', 'bash', 'zsh', 'fish'],
  // a list, of which commas separate the values
  ['query x --type ', 'list', 'city', 'town', 'village', 'hamlet', 'locality', 'suburban area'],
  ['serve --compat photon,', 'list', 'photon,places', 'photon,nominatim', 'photon,photon'],
  ['serve --compat=photon,n', 'list', '--compat=photon,places', '--compat=photon,nominatim', '--compat=photon,photon'],
  // files and folders
  ['inspect ', 'files'],
  ['geocode da', 'files'],
  ['query --index da', 'files'],
  ['query --index=da', 'files'],
  ['serve --ip-database ', 'files'],
  ['build --from osm da', 'files'],
  ['build --from osm data.osm.pbf da', 'files'],
  ['keys backup ', 'files'],
  ['serve --state ', 'folders'],
  ['update --cache da', 'folders'],
  ['build --static da', 'folders'],
  // anything is right here
  ['query par', 'words'],
  ['get ', 'words'],
  ['serve --port ', 'words'],
  ['keys create --label ', 'words'],
  ['keys create --origin https://a.example https://b', 'words'],
  ['reverse --json da', 'words'],
  ['query -- --ty', 'words'],
  // nothing is right here
  ['serve data', 'words'],
  ['nonsense qu', 'words'],
  ['keys nonsense l', 'words'],
];

test('completes values from fixed lists, files and folders', async () => {
  for (const [line, ...offer] of CASES) {
    const [kind, words] = await offerFor(line);
    assert.deepEqual([kind, ...words], offer, line);
  }
});

test('completes the values of a list after one with a space, escaped or not', async () => {
  for (const word of ['suburban area,to', 'suburban\\ area,to']) {
    const [kind, ...words] = await linesOf(['query', 'x', '--type', word]);
    assert.deepEqual([kind, words[1]], ['list', 'suburban area,town']);
  }
});

test('completes formats as the first value of --from, then flags after a dash', async () => {
  const [, formats] = await offerFor('build --from ');
  assert.ok(formats.includes('geonames') && formats.includes('ndjson'), formats.join());
  const [, flags] = await offerFor('build --from osm data.osm.pbf --');
  assert.ok(flags.includes('--from') && flags.includes('--out'), flags.join());
});

test('completes a flag again only if it may be repeated', async () => {
  const [, flags] = await offerFor('geocode x.csv --column city --json --');
  assert.deepEqual([flags.includes('--column'), flags.includes('--json')], [true, false]);
});

test('completes flags for an empty word only if the command takes no argument', async () => {
  assert.ok((await offerFor('serve '))[1].includes('--port'));
  assert.ok((await offerFor('keys list '))[1].includes('--json'));
  assert.deepEqual(await offerFor('query '), ['words', []]);
});

test('describes commands and flags in their first clause', async () => {
  const commands = await linesOf(['']);
  assert.ok(commands.includes('query\tfind places by name, and explain their order'));
  assert.ok(commands.includes('demo\ttry the page'));
  assert.ok((await linesOf(['query', '-'])).includes('--json\tprint the JSON response of the API'));
});

/** The flags in the help text of a command. */
async function flagsInHelp(command: readonly string[]): Promise<string[]> {
  const { stdout } = await runCommand([...command, '--help']);
  return Array.from(stdout.matchAll(/^ {2}(?:(-\w), )?(--[\w-]+)/gm), ([, short, long = '']) =>
    [short ?? [], long].flat(),
  ).flat();
}

/** The commands in the help text of a command. Lines of examples begin with the program's name. */
async function commandsInHelp(command: readonly string[]): Promise<string[]> {
  const { stdout } = await runCommand([...command, '--help']);
  const names = Array.from(stdout.matchAll(/^ {2}([a-z|]+)(?= (?:\[|<| ))/gm), ([, name = '']) => name.split('|'));
  return names.flat().filter((name) => name !== 'toponym');
}

test('completes exactly the commands and flags of the help texts', async () => {
  const commands = await commandsInHelp([]);
  const keyCommands = await commandsInHelp(['keys']);
  assert.ok(commands.length >= 14, commands.join());
  assert.deepEqual((await offerFor(''))[1], commands);
  assert.deepEqual((await offerFor('help '))[1], commands);
  assert.deepEqual((await offerFor('keys '))[1], keyCommands);
  assert.deepEqual((await offerFor('help keys '))[1], keyCommands);
  const all = [[], ...commands.map((name) => [name]), ...keyCommands.map((name) => ['keys', name])];
  for (const command of all.filter((words) => !words.includes('help'))) {
    const line = command.join(' ');
    assert.deepEqual((await offerFor(`${line} -`.trim()))[1].sort(), (await flagsInHelp(command)).sort(), line);
  }
});
