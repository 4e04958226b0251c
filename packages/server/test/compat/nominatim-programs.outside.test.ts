/** Clients of Nominatim in Python, Ruby and JavaScript, unchanged, over the port with plain HTTP. */
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { examples } from '../../../../test/package/page-examples.ts';
import { runCommand } from '../../../../test/package/run-command.ts';
import { fileHooks } from '../../../../test/support/file-hooks.ts';
import { toolsOf } from '../../../../test/support/installed-tools.ts';
import { outsideProgram, skipWithout } from '../../../../test/support/outside-programs.ts';
import { type RunningService, runService } from '../../../../test/support/running-service.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';

const DOCS = readFileSync(new URL('../../../../docs/compat.md', import.meta.url), 'utf8');
const TOOLS = toolsOf('compat');
const python = outsideProgram('python3');
const ruby = outsideProgram('ruby');
const withGeopy = { skip: skipWithout(python, outsideProgram('/usr/lib/python3/dist-packages/geopy')) };
const withRuby = { skip: skipWithout(ruby, outsideProgram('/usr/lib/ruby/vendor_ruby/geocoder')) };

let service: Promise<RunningService> | undefined;

/** The service of all tests of this file. */
function theService(): Promise<RunningService> {
  const args = ['--threads', '1', '--compat', 'nominatim,photon', '--compat-listen', 'http://127.0.0.1:0'];
  service ??= runService(fileHooks, { args });
  return service;
}

/** Writes a program that calls the service. Returns its folder. */
async function programFolder(context: TestContext, file: string, code: string): Promise<string> {
  const { ready, key } = await theService();
  const url = ready.compatUrl ?? assert.fail('the service has no port with plain HTTP');
  const folder = temporaryFolder(context);
  const called = code.replaceAll('https://places.example.com', url.replace(/\/$/, ''));
  writeFileSync(join(folder, file), called.replaceAll('192.168.1.2:2322', new URL(url).host).replaceAll('tpk_…', key));
  return folder;
}

async function runPython(context: TestContext, code: string): Promise<string> {
  const folder = await programFolder(context, 'program.py', code);
  // the first python3 of PATH may be another one than Debian's
  const environment = ['PYTHONPATH=/usr/lib/python3/dist-packages', 'PYTHONIOENCODING=utf-8'];
  return await runCommand(folder, 'env', [...environment, python.path, 'program.py']);
}

async function runRuby(context: TestContext, code: string): Promise<string> {
  return await runCommand(await programFolder(context, 'program.rb', code), 'env', [
    'LANG=C.UTF-8',
    ruby.path,
    'program.rb',
  ]);
}

async function runNode(context: TestContext, code: string): Promise<string> {
  await TOOLS.install();
  const folder = await programFolder(context, 'program.mjs', code);
  symlinkSync(TOOLS.packages, join(folder, 'node_modules'));
  return await runCommand(folder, process.execPath, ['program.mjs']);
}

/** The example of a kind in the documentation, and what its comments say that it prints. */
function example(kind: string): { code: string; output: string } {
  const [code = ''] = examples(DOCS, kind);
  const lines = [...code.matchAll(/^(?:console\.log|print|puts)\b.* (?:#|\/\/) (.*)$/gm)];
  assert.ok(lines.length > 0, `the example ${kind} does not say what it prints`);
  return { code, output: lines.map(([, line]) => `${line}\n`).join('') };
}

describe('clients of Nominatim', () => {
  test('the examples of docs/compat.md for geopy print what they say', withGeopy, async (context) => {
    const { code, output } = example('python nominatim');
    assert.equal(await runPython(context, code), output);
  });

  test('geopy: every option, structured queries, nothing found, and errors', withGeopy, async (context) => {
    const code = `
from geopy.exc import GeocoderServiceError
from geopy.geocoders import Nominatim
def nominatim(domain): return Nominatim(scheme='http', domain=domain, user_agent='test', timeout=60)
client = nominatim('192.168.1.2:2322/k/tpk_…')
options = dict(exactly_one=False, limit=5, addressdetails=True, language='de', extratags=True, namedetails=True, geometry='geojson')
found = client.geocode('springfield', viewbox=[(36, -95), (39, -90)], bounded=True, featuretype='city', country_codes=['us', 'ca'], **options)
print([each.address for each in found])
raw = found[0].raw
print(raw['address']['city'], raw['extratags']['population'] > '', raw['namedetails']['name'], raw['geojson']['type'], raw['class'])
print(client.geocode({'city': 'Paris', 'state': 'Texas', 'country': 'us'}))
print(client.geocode({'city': 'Lyon', 'street': '5 rue X', 'country': 'France'}))
print(client.geocode('qqqqzzzzqqqq'), client.reverse((45, -40)))
print(client.reverse('51.4613, -0.1156'))
print(client.reverse('51.4613, -0.1156', zoom=10, addressdetails=False).raw.get('address'))
for domain, query in (('192.168.1.2:2322', 'paris'), ('192.168.1.2:2322/k/x', 'paris'), ('192.168.1.2:2322/k/tpk_…', ' ')):
    try: nominatim(domain).geocode(query)
    except GeocoderServiceError as error: print(type(error).__name__)
`;
    assert.deepEqual((await runPython(context, code)).trim().split('\n'), [
      "['Springfield, Greene County, Missouri, Vereinigte Staaten']",
      'Springfield True Springfield Point place',
      'Paris, Lamar County, Texas, United States',
      'Lyon, Rhône, Auvergne-Rhône-Alpes, France',
      'None None',
      'Brixton, London, Greater London, England, United Kingdom',
      'None',
      'GeocoderAuthenticationFailure',
      'GeocoderAuthenticationFailure',
      'GeocoderQueryError',
    ]);
  });

  test("the example of docs/compat.md for Ruby's geocoder prints what it says", withRuby, async (context) => {
    const { code, output } = example('ruby nominatim');
    assert.equal(await runRuby(context, code), output);
  });

  test("Ruby's geocoder: all fields, languages, and errors", withRuby, async (context) => {
    const code = `
require 'geocoder'
def configure(host)
  Geocoder.configure(lookup: :nominatim, use_https: false, timeout: 60, always_raise: :all, nominatim: { host: host })
end
configure('192.168.1.2:2322/k/tpk_…')
found = Geocoder.search('Paris, Texas').first
p [found.coordinates, found.city, found.county, found.state, found.country, found.country_code, found.place_class, found.place_type]
p found.viewport.map { |degrees| degrees.to_f.round }
p Geocoder.search([51.4613, -0.1156], language: 'de').first.address
p Geocoder.search('qqqqzzzzqqqq')
configure('192.168.1.2:2322')
begin
  Geocoder.search('paris')
rescue Geocoder::Error => error
  puts error.class
end
`;
    assert.deepEqual((await runRuby(context, code)).trim().split('\n'), [
      '[[33.66094, -95.55551], "Paris", "Lamar County", "Texas", "United States", "us", "place", "town"]',
      '[34, -96, 34, -96]',
      '"Brixton, London, Greater London, England, Vereinigtes Königreich"',
      '[]',
      'Geocoder::RequestDenied',
    ]);
  });

  test('the example of docs/compat.md for node-geocoder prints what it says', async (context) => {
    const { code, output } = example('js node-geocoder');
    assert.equal(await runNode(context, code), output);
  });

  test('node-geocoder: structured queries, reverse lookups, languages, and errors', async (context) => {
    const code = `
import NodeGeocoder from 'node-geocoder';
const osmServer = 'https://places.example.com/k/tpk_…';
const geocoder = NodeGeocoder({ provider: 'openstreetmap', osmServer, language: 'de' });
const show = (places) => places.map(({ formattedAddress, city, country }) => [formattedAddress, city, country].join(' | '));
console.log(show(await geocoder.geocode({ city: 'Paris', country: 'France', limit: 1 })));
console.log(show(await geocoder.geocode('qqqqzzzzqqqq')));
console.log(show(await geocoder.reverse({ lat: 51.4613, lon: -0.1156 })));
console.log(await geocoder.reverse({ lat: 45, lon: -40 }).catch(String));
console.log(await geocoder.geocode({ q: 'x', limit: 'many' }).catch((error) => error.name));
`;
    assert.deepEqual((await runNode(context, code)).trim().split('\n'), [
      "[ 'Paris, Île-de-France, Frankreich | Paris | Frankreich' ]",
      '[]',
      '[',
      "  'Brixton, London, Greater London, England, Vereinigtes Königreich | London | Vereinigtes Königreich'",
      ']',
      'Error: Unable to geocode',
      'Error',
    ]);
  });
});
