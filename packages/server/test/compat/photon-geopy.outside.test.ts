/** geopy's client of Photon, unchanged, over the port with plain HTTP. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { examples } from '../../../../test/package/page-examples.ts';
import { runCommand } from '../../../../test/package/run-command.ts';
import { outsideProgram, skipWithout } from '../../../../test/support/outside-programs.ts';
import { type RunningService, runService } from '../../../../test/support/running-service.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';

const GUIDE = readFileSync(new URL('../../../../docs/guides/compat-clients.md', import.meta.url), 'utf8');
/** A busy machine may take longer than geopy's usual second. */
const PATIENCE = 'import geopy.geocoders\ngeopy.geocoders.options.default_timeout = 60\n';
const python = outsideProgram('python3');
const skip = skipWithout(python, outsideProgram('/usr/lib/python3/dist-packages/geopy'));

async function aService(context: TestContext) {
  const args = ['--threads', '1', '--compat', 'photon', '--compat-listen', 'http://127.0.0.1:0'];
  return await runService(context, { args });
}

/** What the program prints. */
async function printed(context: TestContext, { ready, key }: RunningService, code: string): Promise<string> {
  const file = join(temporaryFolder(context), 'program.py');
  const host = new URL(ready.compatUrl ?? '').host;
  writeFileSync(file, `${PATIENCE}${code.replaceAll('192.168.1.2:2322', host).replaceAll('tpk_…', key)}`);
  // the first python3 of PATH may be another one than Debian's
  const environment = ['PYTHONPATH=/usr/lib/python3/dist-packages', 'PYTHONIOENCODING=utf-8'];
  return await runCommand(temporaryFolder(context), 'env', [...environment, python.path, file]);
}

test('the program of the guide prints what it says', { skip }, async (context) => {
  const [code = ''] = examples(GUIDE, 'python');
  const said = [...code.matchAll(/^print\(.*\) {2}# (.*)$/gm)].map(([, line]) => `${line}\n`);
  assert.equal(said.length, 2);
  assert.equal(await printed(context, await aService(context), code), said.join(''));
});

test('geopy searches with every option, and has an exception for each error', { skip }, async (context) => {
  const code = `
from geopy.exc import GeocoderAuthenticationFailure, GeocoderQueryError
from geopy.geocoders import Photon
photon = Photon(scheme='http', domain='192.168.1.2:2322/k/tpk_…')
def show(found): print([[each.raw['properties'][name] for name in ('name', 'state', 'osm_value')] for each in found or []])
show(photon.geocode('springfield', exactly_one=False, limit=2, location_bias=(37.2, -93.3)))
show(photon.geocode('paris', exactly_one=False, limit=1, language='de', osm_tag=['place:!city', ':!village']))
show(photon.geocode('paris', exactly_one=False, bbox=[(33, -96), (34, -95)]))
show(photon.geocode('qqqqzzzzqqqq', exactly_one=False))
show(photon.reverse('54.36, 10.11', exactly_one=False, limit=1, language='de'))
for domain, query in (('192.168.1.2:2322', 'paris'), ('192.168.1.2:2322/k/tpk_…', ' ')):
    try: Photon(scheme='http', domain=domain).geocode(query)
    except (GeocoderAuthenticationFailure, GeocoderQueryError) as error: print(type(error).__name__)
`;
  const lines = (await printed(context, await aService(context), code)).trim().split('\n');
  assert.match(lines[0] ?? '', /^\[\['Springfield', 'Missouri', 'city'\], \['Springfield', /);
  assert.equal(lines[1], "[['Paris', 'Texas', 'town']]");
  assert.equal(lines[2], "[['Paris', 'Texas', 'town']]");
  assert.equal(lines[3], '[]');
  assert.match(lines[4] ?? '', /'Schleswig-Holstein', /);
  assert.deepEqual(lines.slice(5), ['GeocoderAuthenticationFailure', 'GeocoderQueryError']);
});
