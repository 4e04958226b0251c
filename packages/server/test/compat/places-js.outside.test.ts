/** places.js 1.19.0, unmodified, in Chromium with a real service: the code of docs/guides/from-algolia-places.md. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { examples } from '../../../../test/package/page-examples.ts';
import { openPage } from '../../../../test/package/served-page.ts';
import { BUSY, inChromium, STEP_MS } from '../../../../test/support/chromium.ts';
import { freePort } from '../../../../test/support/free-port.ts';
import { toolsOf } from '../../../../test/support/installed-tools.ts';
import { createKey, runService } from '../../../../test/support/running-service.ts';

const TOOLS = toolsOf('compat');
const GUIDE = readFileSync(new URL('../../../../docs/guides/from-algolia-places.md', import.meta.url), 'utf8');
const [EXAMPLE = ''] = examples(GUIDE, 'js after');
const HTML = `<!doctype html><meta charset="utf-8"><input id="city"><script src="/places.js"></script>
<script>window.events = []</script><script src="/page.js"></script>`;
/** Stores the events of places.js. */
const RECORD = `for (const name of ['change', 'suggestions', 'reverse', 'limit', 'error'])
  box.on(name, (event) => events.push({ name, event }));`;

const INVALID_KEY = 'The APP ID or API key provided is invalid.';

interface Suggestion extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly countryCode: string;
}

interface PlacesEvent {
  readonly query: string;
  readonly message: string;
  readonly suggestion: Suggestion;
  readonly suggestions: readonly Suggestion[];
}

interface GeneralHit {
  readonly objectID: string;
  readonly country: object;
  readonly locale_names: Readonly<Record<string, readonly string[]>>;
}

type InitPlaces = (
  appId: string,
  key: string,
  options: object,
) => {
  search(parameters: object): Promise<{ readonly hits: readonly GeneralHit[] }>;
  reverse(parameters: object): Promise<{ readonly hits: readonly GeneralHit[] }>;
  getObject(objectID: string): Promise<GeneralHit>;
};

test('docs/guides/from-algolia-places.md', inChromium, async (t) => {
  await TOOLS.install();
  const script = readFileSync(join(TOOLS.packages, 'places.js', 'dist', 'cdn', 'places.min.js'));
  const plainHost = `127.0.0.1:${await freePort()}`;
  const args = ['--threads', '1', '--compat', 'places', '--compat-listen', `http://${plainHost}`];
  const service = await runService(t, { args });
  const { key } = await createKey(service);

  /** Opens the page of the guide, with `options` added to those of places.js. */
  async function openGuide(context: TestContext, options: object = {}) {
    const { host } = new URL(service.ready.url);
    const hosts = `${host}', '${host}`; // places.js would try the second one after an error of the server
    const ownOptions = JSON.stringify({ language: 'en', ...options }).slice(1, -1);
    const code = EXAMPLE.replace('places.example.com', hosts)
      .replace('tpk_…', key)
      .replace('hosts:', `timeout: ${STEP_MS}, hosts:`) // a busy machine may take longer than the usual 2 s
      .replace('  container:', `  ${ownOptions},\n  container:`);
    const { page, url } = await openPage(context, {
      '/': HTML,
      '/places.js': script,
      '/page.js': `${code}\n${RECORD}`,
    });
    const printed: string[] = [];
    const called: string[] = [];
    page.on('pageerror', (error) => printed.push(String(error)));
    page.on('console', (message) => BUSY.test(message.text()) || printed.push(message.text()));
    page.on('request', (request) => request.url().includes('/1/') && called.push(request.url()));
    await page.goto(url);
    const event = async (name: string, isMeant = 'true') => {
      const find = `events.findLast(({ name, event }) => name === '${name}' && ${isMeant})`;
      await page.waitForFunction(find);
      return (await page.evaluate(`${find}.event`)) as PlacesEvent;
    };
    return { page, printed, called, event };
  }
  type Guide = Awaited<ReturnType<typeof openGuide>>;
  const type = ({ page }: Guide, text: string) => page.locator('#city').pressSequentially(text, { delay: 60 });
  /** The first suggestion with this highlighted text, which suggestions for fewer letters do not have. */
  const suggestionWith = ({ page }: Guide, text: string) =>
    page.locator('.ap-suggestion', { has: page.locator('em', { hasText: new RegExp(`^${text}$`) }) }).first();
  const suggestionsFor = async (guide: Guide, text: string) => {
    await type(guide, text);
    const { suggestions } = await guide.event('suggestions', `event.query === '${text}'`);
    return suggestions.map(({ name, countryCode }) => `${name} ${countryCode}`);
  };

  await t.test('suggestions appear while the user types, with highlighted letters', async (context) => {
    const guide = await openGuide(context);
    await type(guide, 'paris te');
    const suggestion = suggestionWith(guide, 'Te');
    await suggestion.waitFor();
    assert.equal(await suggestion.locator('.ap-name').innerHTML(), '<em>Paris</em>');
    assert.equal((await suggestion.locator('.ap-address').innerHTML()).trim(), '<em>Te</em>xas, United States');
    assert.equal(await guide.page.locator('.ap-footer').textContent(), 'Data: GeoNames, CC BY 4.0');
    assert.deepEqual(guide.printed, []);
  });

  await t.test('the event of a choice has the fields that places.js documents', async (context) => {
    const guide = await openGuide(context);
    await type(guide, 'springfield il');
    await suggestionWith(guide, 'Il').click();
    const { suggestion, query } = await guide.event('change');
    const { hit, rawAnswer, ...fields } = suggestion;
    assert.equal(query, 'springfield il');
    assert.deepEqual(fields, {
      name: 'Springfield',
      administrative: 'Illinois',
      county: 'Sangamon County',
      country: 'United States',
      countryCode: 'us',
      type: 'city',
      latlng: { lat: 39.80172, lng: -89.64371 },
      highlight: {
        name: '<em>Springfield</em>',
        administrative: '<em>Il</em>linois',
        county: 'Sangamon County',
        country: 'United States',
      },
      hitIndex: 0,
      query: 'springfield il',
      value: 'Springfield, Illinois, United States',
    });
    assert.equal((hit as Suggestion).objectID, 'G4250542');
    assert.equal((rawAnswer as Suggestion).query, 'springfield il');
    assert.equal(await guide.page.locator('#city').inputValue(), 'Springfield, Illinois, United States');
    assert.deepEqual(guide.printed, ['Springfield, Illinois, United States us 39.80172 -89.64371']);
  });

  await t.test('a name in another language explains the suggestion', async (context) => {
    const guide = await openGuide(context, { language: 'de' });
    await type(guide, 'cologne');
    const suggestion = suggestionWith(guide, 'Cologne');
    assert.equal(await suggestion.locator('.ap-name').innerHTML(), '<em>Cologne</em> (Köln)');
  });

  await t.test('countries, type and configure() restrict the suggestions', async (context) => {
    const guide = await openGuide(context, { countries: ['us', 'CA'], type: 'address' });
    const found = await suggestionsFor(guide, 'london');
    assert.ok(found.length > 1 && found.every((each) => /^London.* (?:us|ca)$/.test(each)), found.join());
    await guide.page.evaluate(`box.configure({ countries: ['gb'], hitsPerPage: 1 }); box.setVal('')`);
    await guide.page.locator('#city').fill('');
    assert.deepEqual(await suggestionsFor(guide, 'londo'), ['London gb']);
  });

  await t.test('reverse() finds the place of a point', async (context) => {
    const guide = await openGuide(context, { language: 'fr', hitsPerPage: 2 });
    await guide.page.evaluate(`box.reverse('52.52,13.4')`);
    const { suggestions, query } = await guide.event('reverse');
    assert.equal(query, '52.52,13.4');
    assert.equal(suggestions.length, 2);
    const [{ name, country, countryCode, value } = {} as Suggestion] = suggestions;
    assert.deepEqual([name, country, countryCode, value], ['Berlin', 'Allemagne', 'de', 'Berlin, Allemagne']);
  });

  await t.test('plain HTTP works with --compat-listen', async (context) => {
    const clientOptions = { hosts: [plainHost], protocol: 'http', timeout: STEP_MS };
    const guide = await openGuide(context, { clientOptions, hitsPerPage: 1 });
    assert.deepEqual(await suggestionsFor(guide, 'reykjav'), ['Reykjavík is']);
  });

  await t.test('algoliasearch 3 searches, looks up and finds the place of a point', async () => {
    const { initPlaces } = createRequire(TOOLS.manifest)('algoliasearch') as { initPlaces: InitPlaces };
    const client = initPlaces('plTOPONYM', key, { hosts: [plainHost], protocol: 'http:', timeout: STEP_MS });
    const { hits } = await client.search({ query: 'munich', countries: ['de'], hitsPerPage: 1 });
    const [hit] = hits;
    assert.deepEqual(
      [hit?.objectID, hit?.country, hit?.locale_names.de],
      ['G2867714', { default: 'Germany' }, ['München']],
    );
    const record = await client.getObject('G2867714');
    assert.deepEqual(record.locale_names, hit?.locale_names);
    assert.equal((await client.reverse({ aroundLatLng: '48.13,11.58' })).hits[0]?.objectID, 'G2867714');
    await assert.rejects(client.getObject('G1'), { message: 'ObjectID does not exist', statusCode: 404 });
  });

  await t.test('a bad key is said to be invalid, and called once', async (context) => {
    const guide = await openGuide(context, { apiKey: 'tpk_wrong' });
    const isSaid = guide.page.waitForEvent('console', (message) => message.text() === INVALID_KEY);
    await guide.page.locator('#city').fill('p');
    await isSaid;
    assert.equal(guide.called.length, 1);
  });

  await t.test('the rate limit is the event limit, and called once', async (context) => {
    const limited = await createKey(service, ['--per-minute', '1']);
    const guide = await openGuide(context, { apiKey: limited.key });
    await suggestionsFor(guide, 'p');
    guide.called.length = 0;
    await type(guide, 'a');
    assert.match((await guide.event('limit')).message, /rate limit/);
    assert.equal(guide.called.length, 1);
  });

  await t.test('a refused option is the event error, and called once', async (context) => {
    const guide = await openGuide(context, { type: 'planet' });
    await guide.page.locator('#city').fill('p');
    assert.match((await guide.event('error')).message, /^type: must be one of city, address/);
    assert.equal(guide.called.length, 1);
  });
});
