/** The element `<toponym-search>` of the packed package, in Chromium, on pages of another origin. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { inChromium, openBrowser } from '../support/chromium.ts';
import { waitUntil } from '../support/deadline.ts';
import { fileHooks } from '../support/file-hooks.ts';
import { createKey } from '../support/running-service.ts';
import { holdAnswers, saveScreenshot, seriousViolations } from '../web/opened-page.ts';
import { type ElementSite, type Opening, openElementPage, serveElementSite } from './element-page.ts';
import { examples } from './page-examples.ts';
import { runCommand, TSC } from './run-command.ts';
import { bundled } from './served-page.ts';

const DOCS = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');
const [HTML = ''] = examples(DOCS, 'html element');
const [SCRIPT = ''] = examples(DOCS, 'js element');
const FIELD = '<toponym-search endpoint="https://places.example.com" key="tpk_…" label="Place"></toponym-search>';
const TYPED = `
import { type SearchTexts, ToponymSearch } from 'toponym/client/search-element';
const search: ToponymSearch | null = document.querySelector('toponym-search');
search?.addEventListener('toponym-select', ({ detail }) => detail.label.toUpperCase());
search?.addEventListener('toponym-error', ({ detail }) => detail.retryAfterSeconds);
document.createElement('toponym-search').texts = { none: '' } satisfies Partial<SearchTexts>;
// @ts-expect-error: the element has no such property
search?.nonsense;
`;

describe('<toponym-search>', inChromium, () => {
  let site: ElementSite;
  let browser: Browser;
  const open = (t: Parameters<typeof openElementPage>[0], opening: Partial<Opening> = {}) =>
    openElementPage(t, { browser, site }, { body: FIELD, ...opening });
  /** A property of the first element. */
  const propertyOf = (page: Page, name: string) => page.evaluate(`document.querySelector('toponym-search').${name}`);

  before(async () => {
    [site, browser] = await Promise.all([serveElementSite(fileHooks), openBrowser(fileHooks)]);
  });

  test('the example of docs/client.md: arrow down and Enter select a place, which the form sends', async (t) => {
    const script = await bundled(site.project, SCRIPT);
    const { page, box, options, printed } = await open(t, { body: HTML, script });
    await box.fill('par');
    await options.first().waitFor();
    assert.equal(await options.count(), 5);
    assert.match((await options.first().textContent()) ?? '', /Paris, France↵, grande ville · 2,14\sM hab\./);
    assert.equal(await options.first().locator('mark').textContent(), 'Par');
    await box.press('ArrowDown');
    await box.press('Enter');
    assert.equal(await box.inputValue(), 'Paris, France');
    assert.deepEqual(printed, [/console\.log\(.*\); \/\/ (.*)/.exec(SCRIPT)?.[1]]);
    await box.press('Enter');
    await page.waitForURL('**/saved?place=G2988507');
  });

  test('a required field without a place keeps the form from being sent, and says what is missing', async (t) => {
    const { page, box, options } = await open(t, { body: HTML });
    await box.fill('saint');
    await options.first().waitFor();
    await box.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    assert.equal(new URL(page.url()).pathname, '/');
    assert.equal(await propertyOf(page, 'validationMessage'), 'Choisissez un lieu dans la liste.');
    assert.equal(await box.evaluate((input) => input.matches(':focus')), true);
  });

  test('screen readers get the roles, names and states of a combobox', async (t) => {
    const { page, box, options } = await open(t, { body: HTML });
    const field = page.getByRole('combobox', { name: 'Where do you live?', expanded: false });
    await field.waitFor();
    await page.getByText('Where do you live?').click();
    await page.keyboard.insertText('par'); // at once, so that there is one answer
    await page.getByRole('combobox', { expanded: true }).waitFor();
    assert.equal(
      await page.getByRole('listbox', { name: 'Lieux' }).getAttribute('id'),
      await box.getAttribute('aria-controls'),
    );
    await box.press('ArrowUp');
    assert.equal(await box.getAttribute('aria-activedescendant'), await options.last().getAttribute('id'));
    await box.press('Home');
    await page.getByRole('option', { selected: true, name: /^Paris, France.*grande ville/ }).waitFor();
    await page
      .getByRole('status')
      .getByText(/^Lieux : 5 sur \d+. Premier : Paris, France. Entrée le sélectionne.$/)
      .waitFor({ state: 'attached' });
    await box.press('Escape');
    await page.getByRole('combobox', { expanded: false }).waitFor();
    assert.equal(await box.getAttribute('aria-activedescendant'), null);
    assert.equal(await box.inputValue(), 'par');
  });

  test('axe finds nothing serious, in light and dark colours', async (t) => {
    const { page, box, options } = await open(t, { body: HTML, viewport: { width: 420, height: 480 } });
    const check = async (state: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await seriousViolations(page), [], `${colorScheme}-${state}`);
        await saveScreenshot(page, `element-${colorScheme}-${state}`);
      }
    };
    await check('start');
    await box.fill('par');
    await options.first().waitFor();
    await box.press('ArrowDown');
    await check('suggestions');
  });

  test('an answer to an older text is never shown', async (t) => {
    const { page, box, options } = await open(t, { expected: /ERR_FAILED/ });
    const { held, release } = await holdAnswers(page, /query=ber&/);
    await box.fill('ber');
    await held;
    await box.fill('london');
    await options.first().getByText('London').waitFor();
    release();
    await page.unrouteAll({ behavior: 'wait' });
    await page.evaluate('new Promise(requestAnimationFrame)');
    assert.match((await options.first().textContent()) ?? '', /London/);
  });

  test('an attribute that changes while a call is under way makes its answer old, and asks again', async (t) => {
    const { page, box, options } = await open(t, { expected: /ERR_FAILED/ });
    const { held, release } = await holdAnswers(page, /^(?!.*countries=)/);
    await box.fill('paris');
    await held;
    await page.evaluate(`const search = document.querySelector('toponym-search');
      addEventListener('toponym-result', ({ detail }) => console.log(detail.result.hits[0].label));
      search.setAttribute('countries', 'us');
      search.setAttribute('hits-per-page', '1');`);
    release();
    await options.first().getByText('Texas').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    assert.equal(await options.count(), 1);
    await page.evaluate("document.querySelector('toponym-search').options = { countries: 'ca' }");
    await options.first().getByText('Ontario').waitFor();
  });

  test('a client that ignores its signal does not overwrite newer text', async (t) => {
    const { page, box } = await open(t);
    await page.evaluate(`globalThis.arrived = Promise.withResolvers();
      const search = document.querySelector('toponym-search');
      search.client = { get: () => arrived.promise, typeahead: () => ({ type() {}, close() {} }) };
      search.value = 'G1';`);
    await box.fill('newer');
    await page.evaluate("arrived.resolve({ objectID: 'G1', label: 'older' })");
    await page.evaluate('new Promise(requestAnimationFrame)');
    assert.equal(await box.inputValue(), 'newer');
    assert.equal(await propertyOf(page, 'value'), '');
  });

  test('text or a value that a page sets during a call ends the call', async (t) => {
    const { page, box } = await open(t);
    await page.evaluate(`globalThis.calls = [];
      const typeahead = () => ({ type: (text) => calls.push(text), close: () => calls.push('closed') });
      document.querySelector('toponym-search').client = { get: () => new Promise(() => {}), typeahead };`);
    for (const [typed, change] of [
      ['ber', "text = 'my place'"],
      ['lon', "value = 'G1'"],
    ] as const) {
      await box.fill(typed);
      await page.locator('.field[aria-busy=true]').waitFor();
      await page.evaluate(`document.querySelector('toponym-search').${change}`);
      assert.deepEqual(await page.evaluate('calls.splice(0)'), [typed, 'closed']);
      assert.equal(await page.locator('.field[aria-busy=true]').count(), 0);
    }
  });

  test('a max-suggestions that is not above 0 shows all hits', async (t) => {
    const { page, box, options } = await open(t);
    for (const [max, text, count] of [
      ['2', 'par', 2],
      ['-1', 'lon', 5],
      ['many', 'ber', 5],
    ] as const) {
      await page.evaluate(`document.querySelector('toponym-search').setAttribute('max-suggestions', '${max}')`);
      await box.fill(text);
      await options
        .first()
        .locator('mark', { hasText: new RegExp(text, 'i') })
        .waitFor();
      assert.equal(await options.count(), count, max);
    }
  });

  test('an element whose debounce-ms is no number waits as by default', async (t) => {
    const body = FIELD.replace('label=', 'debounce-ms="abc" label=');
    const { page, box, options } = await open(t, { body });
    const asked: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(new URLSearchParams(request.postData() ?? '').get('query'));
    });
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await box.focus();
    for (const key of 'san francisco') {
      await page.keyboard.type(key);
      await page.clock.runFor(150);
    }
    await page.clock.runFor(1000);
    await options.first().getByText('San Francisco').waitFor();
    assert.equal(asked.at(-1), 'san francisco');
    assert.ok(asked.length <= 5, String(asked));
  });

  test('while a call is under way the element is busy, and its old suggestions cannot be selected', async (t) => {
    const { page, box, options } = await open(t);
    await box.fill('lon');
    await options.first().getByText('London').waitFor();
    const { release } = await holdAnswers(page);
    await box.fill('tokyo');
    await page.locator('.field[aria-busy=true]').waitFor();
    assert.equal(await options.count(), 0);
    release();
    await options.first().getByText('Tokyo').waitFor();
    assert.equal(await page.locator('.field[aria-busy=true]').count(), 0);
  });

  test('Escape closes the list, which an arrow key opens again, and then clears the text', async (t) => {
    const { page, box, options } = await open(t);
    await box.fill('lon');
    await options.first().waitFor();
    await box.press('Escape');
    assert.deepEqual([await options.count(), await box.inputValue()], [0, 'lon']);
    await box.press('ArrowDown');
    assert.equal(await box.getAttribute('aria-expanded'), 'true');
    await box.press('Escape');
    await box.press('Escape');
    assert.equal(await box.inputValue(), '');
    await page.evaluate("addEventListener('keydown', ({ key }) => console.log(key))");
    const heard = page.waitForEvent('console', (message) => message.text() === 'Escape');
    await box.press('Escape');
    await heard;
  });

  test('another name that matched is shown, and what was typed of it is highlighted', async (t) => {
    const { page, box, options } = await open(t);
    const facts = async (text: string, label: string) => {
      await box.fill(text);
      const option = options.filter({ hasText: label }).first();
      await option.waitFor();
      return [
        await option.locator('[part=facts]').textContent(),
        await option.locator('[part=facts] mark').allTextContents(),
      ];
    };
    const [alias, marks] = await facts('münch', 'Munich');
    assert.match(String(alias), /also “München”/);
    assert.deepEqual(marks, ['Münch']);
    const [spelling, none] = await facts('muenchen', 'Munich');
    assert.match(String(spelling), /also “München”/);
    assert.deepEqual(none, []);
    assert.doesNotMatch(String((await facts('pari', 'Paris, France'))[0]), /also/);
    // the name occurs in the words around it
    await page.evaluate(
      "document.querySelector('toponym-search').texts = { alias: (name) => 'München? ' + name + '!' }",
    );
    assert.match(String((await facts('münche', 'Munich'))[0]), /München\? München!/);
  });

  test('a refused key is said in the element, unless the page does it itself; an event has the error', async (t) => {
    const body = FIELD.replace('tpk_…', 'tpk_nonsense');
    const { page, box, alert } = await open(t, { body, expected: /401|toponym-search: / });
    await page.evaluate(`addEventListener('toponym-error', (event) => {
      if (document.querySelector('toponym-search').text !== 'lisbon') event.preventDefault();
      console.log(event.detail.code, event.detail.status);
    })`);
    for (const [text, alerts] of [
      ['lisbon', 1],
      ['porto', 0],
    ] as const) {
      const printed = page.waitForEvent('console', (message) => message.type() === 'log');
      await page.evaluate("document.querySelector('toponym-search').cancel()"); // removes the alert
      await box.fill(text);
      assert.equal((await printed).text(), 'key_unknown 401');
      await page.evaluate('new Promise(requestAnimationFrame)');
      assert.equal(await alert.getByText('The search is not available now.').count(), alerts, text);
      assert.equal(await box.inputValue(), text);
    }
  });

  test('visitors do not read that the page has no key, but the console does', async (t) => {
    const body = '<toponym-search endpoint="https://places.example.com" language="de-AT" label="Ort"></toponym-search>';
    const { page, box, alert } = await open(t, { body, expected: /401|toponym-search: / });
    const printed = page.waitForEvent('console', (message) => message.text().startsWith('toponym-search'));
    await box.fill('lisbon');
    await alert.getByText('Die Suche ist zurzeit nicht verfügbar.', { exact: true }).waitFor();
    assert.equal((await printed).text(), 'toponym-search: the attribute api-key is missing');
  });

  test('with no calls left the list says so in the language of the element, old hits cannot be chosen, and the search goes on by itself', async (t) => {
    const { key } = await createKey(site.service, ['--per-minute', '2']);
    const body = FIELD.replace('tpk_…', key).replace('label=', 'language="de" label=');
    const { page, box, options, alert } = await open(t, { body, viewport: { width: 420, height: 480 } });
    await page.clock.install();
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'POST') statuses.push(response.status());
    });
    const find = async (text: string, label: string) => {
      await box.fill(text);
      await page.clock.runFor(1000);
      await options.first().getByText(label).waitFor();
    };
    await find('lisbon', 'Lissabon');
    await find('porto', 'Porto');
    await box.fill('braga');
    await page.clock.runFor(1000);
    const says = alert.getByText(/^Zu viele Suchen von Ihrer Adresse. Die Suche geht in \d\d Sek. von selbst weiter.$/);
    await says.waitFor();
    const old = page.locator('[part~=option]').first();
    assert.deepEqual([await old.getAttribute('role'), await options.count()], ['none', 0]);
    await old.click();
    for (const key of ['ArrowDown', 'Tab']) await box.press(key);
    assert.deepEqual([await propertyOf(page, 'value'), await propertyOf(page, 'text')], ['', 'braga']);
    await box.fill('bragan');
    await page.evaluate("addEventListener('toponym-submit', () => { globalThis.isSubmitted = true; })");
    await box.press('Enter');
    assert.equal(await page.evaluate('globalThis.isSubmitted'), true);
    await box.focus();
    await saveScreenshot(page, 'element-limited');
    assert.deepEqual(await seriousViolations(page), []);

    // a text whose hits are known is answered, and the next one is not left without a word
    await box.fill('porto');
    await options.first().getByText('Porto').waitFor();
    assert.equal(await alert.count(), 0);
    await box.fill('faro');
    await page.clock.runFor(1000);
    await says.waitFor();
    assert.deepEqual(statuses, [200, 200]);
    await page.route('**/api/1/query', async (route) => {
      const headers = { ...route.request().headers(), 'x-service-key': site.key };
      await route.continue({ headers }); // the service has a clock of its own
    });
    await page.clock.runFor(61_000);
    await options.first().getByText('Faro').waitFor();
    assert.equal(await alert.count(), 0);
  });

  test('offline the element says so, and goes on when the connection is back', async (t) => {
    const { page, box, options, alert } = await open(t, { expected: /ERR_INTERNET_DISCONNECTED/ });
    await box.click();
    await page.context().setOffline(true);
    await box.fill('lisbon');
    await alert.getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await options.first().getByText('Lisbon').waitFor();
    assert.equal(await alert.count(), 0);
  });

  test('if the browser does not trust the certificate, the element says how to accept it, and works once it is accepted', async (t) => {
    const { url } = site.service.ready;
    const { page, box, options, alert } = await open(t, { ignoreHTTPSErrors: false, expected: /ERR_CERT_AUTHORITY/ });
    let tries = 0;
    page.on('requestfailed', () => tries++);
    await page.clock.install();
    await box.fill('lisbon');
    await alert.getByText(`Cannot reach ${url}. If its certificate is self-signed, open this address once`).waitFor();
    const before = tries;
    await page.clock.runFor(600_000);
    assert.equal(tries, before, 'it does not try again by itself');
    await saveScreenshot(page, 'element-untrusted');
    assert.deepEqual(await seriousViolations(page), []);

    const [opened] = await Promise.all([page.waitForEvent('popup'), alert.getByRole('link', { name: url }).click()]);
    await opened.getByText('ERR_CERT_AUTHORITY_INVALID').waitFor({ state: 'attached' });
    await opened.keyboard.type('thisisunsafe'); // what Chromium's warning accepts instead of two clicks
    await opened.getByRole('combobox').waitFor();
    await page.bringToFront();
    await box.fill('porto');
    await options.first().getByText('Porto').waitFor();
    assert.equal(await alert.count(), 0);
  });

  test('if a service has never answered, the element tries again when the user returns to the page', async (t) => {
    const { page, box, options, alert } = await open(t, { expected: /ERR_CONNECTION_REFUSED/ });
    await page.route('**/api/1/query', (route) => route.abort('connectionrefused'));
    await box.fill('lisbon');
    await alert.getByText('Cannot reach https://').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.evaluate("dispatchEvent(new Event('focus'))"); // Playwright lets every page have the focus all the time
    await options.first().getByText('Lisbon').waitFor();
    assert.equal(await alert.count(), 0);
  });

  test('visitors of a public site read nothing of certificates, and the element tries again by itself', async (t) => {
    const body = '<toponym-search endpoint="https://api.shop.example" key="x" label="Place"></toponym-search>';
    const { page, box, alert } = await open(t, { body, expected: /ERR_CONNECTION_REFUSED/ });
    await page.route('https://api.shop.example/**', (route) => route.abort('connectionrefused'));
    await page.route('http://shop.example/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      const response = await route.fetch({ url: site.url + pathname });
      const contentType = response.headers()['content-type'] ?? '';
      await route.fulfill({ body: await response.body(), contentType }); // without the policy
    });
    await page.goto('http://shop.example/');
    await box.fill('lisbon');
    await alert.getByText(/^The service cannot be reached\. Trying again in \d+ sec\.$/).waitFor();
  });

  test('if a service that has answered cannot be reached, the element tries again by itself', async (t) => {
    const { page, box, options, alert } = await open(t, { expected: /ERR_/ });
    await box.fill('lisbon');
    await options.first().getByText('Lisbon').waitFor();
    await page.route('**/api/1/query', (route) => route.abort('connectionrefused'));
    await box.fill('porto');
    await alert.getByText(/^The service cannot be reached\. Trying again in \d+ sec\.$/).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await options.first().getByText('Porto').waitFor();
    assert.equal(await alert.count(), 0);
  });

  test('two elements on a page have texts and suggestions of their own', async (t) => {
    const { page } = await open(t, { body: FIELD + FIELD.replace('label="Place"', 'label="Other" countries="it"') });
    await page.getByRole('combobox', { name: 'Place' }).fill('rome');
    await page.getByRole('option').first().getByText('Rome').waitFor();
    await page.getByRole('combobox', { name: 'Place' }).press('ArrowDown');
    await page.getByRole('combobox', { name: 'Place' }).press('Enter');
    await page.getByRole('combobox', { name: 'Other' }).fill('par');
    await page.getByRole('option').first().getByText('Italy').waitFor();
    await page.getByRole('option').first().click();
    const values = await page.evaluate<string[]>(
      "[...document.querySelectorAll('toponym-search')].map(({ text }) => text)",
    );
    assert.match(values[0] ?? '', /^Rome, /);
    assert.match(values[1] ?? '', /^Par.*, Italy$/);
  });

  test('removing the element ends its call', async (t) => {
    // a client of its own, because the time limit of the default one would end the call too
    const options = JSON.stringify({ url: site.service.ready.url, key: site.key, timeoutMs: 600_000 });
    const script = await bundled(
      site.project,
      `import 'toponym/client/search-element';
      import { createClient } from 'toponym/client';
      document.querySelector('toponym-search').client = createClient(${options});`,
    );
    const { page, box, printed } = await open(t, { body: '<toponym-search></toponym-search>', script });
    const asked = Promise.withResolvers<void>();
    await page.route('**/api/1/query', () => asked.resolve());
    await page.evaluate("addEventListener('toponym-error', () => console.log('error'))");
    const ended = page.waitForEvent('requestfailed');
    await box.fill('lisbon');
    await asked.promise;
    await page.evaluate("document.querySelector('toponym-search').remove()");
    assert.equal((await ended).failure()?.errorText, 'net::ERR_ABORTED');
    assert.deepEqual(printed, []);
  });

  test('an element that is defined late takes over what the page has set before', async (t) => {
    const { page, box, options } = await open(t, { script: '' });
    await page.evaluate(
      "Object.assign(document.querySelector('toponym-search'), { options: { countries: 'us' }, text: 'paris' })",
    );
    site.script = site.bundle;
    await page.evaluate("import('/script.js?late')");
    assert.equal(await box.inputValue(), 'paris');
    await box.press('ArrowDown');
    await options.first().getByText('Texas').waitFor();
  });

  test('two bundles on a page define the element once', async (t) => {
    const { page, box } = await open(t);
    await page.evaluate("import('/script.js?again')");
    await box.waitFor();
  });

  test('without a bundler, a copy of dist/client works', async (t) => {
    const { box, options } = await open(t, { script: "import '/client/search-element.js';" });
    await box.fill('lisbon');
    await options.first().getByText('Lisbon').waitFor();
  });

  test('a disabled element, or one in a disabled fieldset, cannot be typed into and is not sent', async (t) => {
    const body = `<form><fieldset disabled>${FIELD}</fieldset></form>`.replace(
      'label=',
      'name="place" value="G2988507" label=',
    );
    const { page, box } = await open(t, { body });
    assert.equal(await box.isDisabled(), true);
    const sent = () => page.evaluate("[...new FormData(document.querySelector('form'))].join()");
    assert.equal(await sent(), '');
    await page.evaluate("document.querySelector('fieldset').disabled = false");
    assert.equal(await box.isDisabled(), false);
    assert.equal(await sent(), 'place,G2988507');
    await page.evaluate("document.querySelector('toponym-search').disabled = true");
    assert.equal(await box.isDisabled(), true);
  });

  test('the attribute value shows its place, the user can clear it, and a reset brings it back', async (t) => {
    const body = `<form>${FIELD.replace('label=', 'value="G2988507" language="it" label=')}</form>`;
    const { page, box, printed } = await open(t, { body });
    const shows = (text: string) => waitUntil(`the box shows ${text}`, async () => (await box.inputValue()) === text);
    await shows('Parigi, Francia');
    await page.evaluate("addEventListener('toponym-clear', () => console.log('clear'))");
    await page.getByRole('button', { name: 'Cancella' }).click();
    assert.deepEqual([await propertyOf(page, 'value'), await box.inputValue(), printed], ['', '', ['clear']]);
    assert.equal(await page.getByRole('button', { name: 'Cancella' }).count(), 0);
    await page.evaluate("document.querySelector('form').reset()");
    await shows('Parigi, Francia');
    assert.equal(await propertyOf(page, 'hit.timezone'), 'Europe/Paris');
  });

  test('going back restores the place and the text', async (t) => {
    const { page, box, options } = await open(t, { body: HTML });
    await box.fill('bruges');
    await options.first().click();
    const text = await box.inputValue();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/saved?place=*');
    await page.goBack();
    await waitUntil('the text is back', async () => (await box.inputValue()) === text);
    assert.match(String(await propertyOf(page, 'value')), /^[CG]\d+$/);
  });

  test('names from the service are text, never HTML', async (t) => {
    const { page, box, options } = await open(t);
    await page.route('**/api/1/query', async (route) => {
      const result = await (await route.fetch()).json();
      const [hit] = result.hits;
      const name = '<img src=x onerror=alert(1)>';
      hit._highlightResult.name.value = name.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      await route.fulfill({ json: { ...result, hits: [{ ...hit, name, label: `${name}, France` }] } });
    });
    await box.fill('paris');
    await options.first().getByText('<img src=x onerror=alert(1)>').first().waitFor();
    assert.equal(await page.locator('img').count(), 0);
  });

  test('the element says that no place is found', async (t) => {
    const { page, box } = await open(t, { body: FIELD.replace('label=', 'language="he" label=') });
    await box.fill('qqqqzzzzxx');
    const none = page.locator('[part=none]', { hasText: 'לא נמצא מקום.' });
    await none.waitFor();
    assert.equal(await box.getAttribute('aria-expanded'), 'false');
    assert.equal(await styleOf(none, 'direction'), 'rtl', 'also on a page that runs from left to right');
  });

  test('text that runs from right to left does, and so do the texts of the element, which a page can replace', async (t) => {
    const body = `<div dir="rtl">${FIELD.replace('label="Place"', 'language="ar"')}</div>`;
    const { page, box, options } = await open(t, { body, viewport: { width: 420, height: 480 } });
    await page.evaluate(`document.querySelector('toponym-search').texts = {
      types: { city: 'مدينة' } }`);
    await page.getByRole('combobox', { name: 'ابحث عن مكان' }).fill('القاهر');
    await options.first().getByText('القاهرة').first().waitFor();
    assert.match((await options.first().textContent()) ?? '', /مدينة · .*نسمة/);
    assert.equal(await styleOf(box, 'direction'), 'rtl');
    await box.press('ArrowDown');
    await saveScreenshot(page, 'element-arabic');
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 420);
    await box.fill('Cairo');
    assert.equal(await styleOf(box, 'direction'), 'ltr');
  });

  test('Enter and Tab take the first hit if it is certain, also before its answer; else Enter submits', async (t) => {
    const { page, box, options, printed } = await open(t);
    await page.evaluate(`for (const name of ['toponym-submit', 'toponym-select']) {
      addEventListener(name, ({ detail }) => console.log(detail?.label ?? 'submit'));
    }`);
    const press = async (key: string, text: string, label = '') => {
      await box.fill(text);
      if (label !== '') await options.first().getByText(label).waitFor();
      const heard = page.waitForEvent('console');
      await box.press(key);
      await heard;
    };
    await press('Enter', 'paris fr', 'Paris');
    await press('Tab', 'sprngfield il', 'Springfield');
    await press('Enter', 'lisbon portugal');
    await press('Tab', 'münchen de');
    await press('Enter', 'spring', 'Spring');
    await page.evaluate("document.querySelector('toponym-search').setAttribute('take-certain', 'off')");
    await press('Enter', 'paris fr');
    await press('Enter', 'paris tx', 'Paris');
    const springfield = 'Springfield, Illinois, United States';
    const expected = ['Paris, France', springfield, 'Lisbon, Portugal', 'Munich, Germany', ...Array(3).fill('submit')];
    assert.deepEqual(printed, expected);
  });

  test('the list credits the data with links', async (t) => {
    const { page, box, options } = await open(t);
    await box.fill('lisbon');
    await options.first().waitFor();
    const credits = page.locator('[part=credits]');
    assert.equal(await credits.textContent(), 'GeoNames, CC BY 4.0; SimpleMaps World Cities, CC BY 4.0');
    const links = await credits.getByRole('link').evaluateAll((each) => each.map(String));
    const licence = 'https://creativecommons.org/licenses/by/4.0/';
    assert.deepEqual(links, [
      'https://www.geonames.org/',
      licence,
      'https://simplemaps.com/data/world-cities',
      licence,
    ]);
    await box.press('Escape');
    assert.equal(await credits.isVisible(), false);
  });

  test('a click on "Use my place", and nothing else, asks the browser where the user is', async (t) => {
    const geolocation = { latitude: 48.85, longitude: 2.35 };
    const body = FIELD.replace('label=', 'locate language="fr" label=');
    const { page, box, alert } = await open(t, { body, geolocation, permissions: ['geolocation'] });
    const button = page.getByRole('button', { name: 'Utiliser ma position' });
    await page.evaluate(`const { geolocation } = navigator;
      globalThis.asked = 0;
      geolocation.getCurrentPosition = (...args) => (asked++, Object.getPrototypeOf(geolocation).getCurrentPosition.apply(geolocation, args))`);
    await box.focus();
    await box.press('Tab');
    assert.deepEqual([await page.evaluate('asked'), await button.isVisible()], [0, true]);
    const selected = page.evaluate("new Promise((resolve) => addEventListener('toponym-select', resolve))");
    await button.click();
    await selected;
    assert.deepEqual([await box.inputValue(), await propertyOf(page, 'value')], ['Paris, France', 'G2988507']);
    assert.deepEqual([await button.isVisible(), await page.locator('.field[aria-busy=true]').count()], [false, 0]);
    await page.context().clearPermissions();
    await box.fill('');
    await button.click();
    await alert.getByText('Votre position n’est pas connue.').waitFor();
  });

  test('an element with autofocus has the focus when it is defined', async (t) => {
    const { box } = await open(t, { body: FIELD.replace('label=', 'autofocus label=') });
    assert.equal(await box.evaluate((input) => input.matches(':focus')), true);
  });

  test('the button that clears covers no text, in whatever direction page and text run', async (t) => {
    const { page, box } = await open(t, { body: `<div>${FIELD}</div>` });
    const clear = page.getByRole('button', { name: 'Clear' });
    for (const dir of ['ltr', 'rtl']) {
      await page.evaluate(`document.querySelector('div').dir = '${dir}'`);
      for (const text of ['Cairo', 'القاهرة']) {
        await box.fill(text);
        const [field, button] = [await box.boundingBox(), await clear.boundingBox()];
        const isLeft = (button?.x ?? 0) < (field?.x ?? 0) + 100;
        const padding = await styleOf(box, isLeft ? 'paddingLeft' : 'paddingRight');
        assert.ok(Number.parseFloat(padding) >= (button?.width ?? 999), `${dir} ${text}: ${padding}`);
      }
    }
  });

  test('custom properties and parts style it', async (t) => {
    const { page, box } = await open(t);
    await page.evaluate(`const sheet = new CSSStyleSheet();
      sheet.replaceSync('toponym-search { --toponym-surface: rgb(1, 2, 3) } toponym-search::part(input) { height: 99px }');
      document.adoptedStyleSheets = [sheet];`);
    const style = [await styleOf(box, 'backgroundColor'), await styleOf(box, 'height')];
    assert.deepEqual(style, ['rgb(1, 2, 3)', '99px']);
  });

  test('a server that renders pages can import it, and its types say what it has', async () => {
    await runCommand(site.project, process.execPath, ['-e', "await import('toponym/client/search-element')"]);
    writeFileSync(join(site.project, 'typed.ts'), TYPED);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, exactOptionalPropertyTypes: true, module: 'nodenext', target: 'es2022' },
      ...{ lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
    };
    writeFileSync(join(site.project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    await runCommand(site.project, TSC, []);
  });
});

function styleOf(locator: Locator, name: string): Promise<string> {
  return locator.evaluate((element, name) => {
    const { getComputedStyle } = globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> };
    return getComputedStyle(element)[name] ?? '';
  }, name);
}
