import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { SearchRequest } from '../../web/src/page-state.ts';
import { snippetsOf } from '../../web/src/snippets.ts';

const SERVICE = { origin: 'https://places.test', key: 'tpk_page', keyHeader: 'X-Service-Key', isSelfSigned: false };
const REQUEST: SearchRequest = {
  endpoint: 'query',
  text: `l'aquila "it" $HOME`,
  options: { type: ['city', 'suburban area'], aroundRadius: 5000, getRankingInfo: true },
};

function codeOf(language: string, request = REQUEST, service = SERVICE): string {
  return snippetsOf(request, service).find((snippet) => snippet.language === language)?.code ?? '';
}

test('a shell reads the curl command as the request, whatever was typed', () => {
  const printed = execFileSync('sh', ['-c', codeOf('curl').replace('curl', 'printf "%s\\n"')], { encoding: 'utf8' });
  assert.deepEqual(printed.trimEnd().split('\n'), [
    'https://places.test/api/1/query',
    '-H',
    'X-Service-Key:tpk_page',
    '-H',
    'Origin:https://places.test',
    '-d',
    `query=l'aquila "it" $HOME`,
    '-d',
    'type=city,suburban area',
    '-d',
    'aroundRadius=5000',
  ]);
});

test('the curl command is short: quotes, encoding and options only where they are needed', () => {
  const common = 'curl https://places.test/api/1/query -H X-Service-Key:tpk_page -H Origin:https://places.test';
  for (const [text, word] of [
    ['paris', '-d query=paris'],
    ['São Tomé', "-d 'query=São Tomé'"],
    ['a+b & 5%', "--data-urlencode 'query=a+b & 5%'"],
  ] as const) {
    assert.equal(codeOf('curl', { endpoint: 'query', text, options: { getRankingInfo: true } }), `${common} ${word}`);
  }
});

test('certificates are left unchecked only if the certificate is self-signed', () => {
  const selfSigned = { ...SERVICE, isSelfSigned: true };
  assert.doesNotMatch(codeOf('curl'), /-k/);
  assert.match(codeOf('curl', REQUEST, selfSigned), /^curl -k /);
  assert.doesNotMatch(codeOf('Python'), /ssl/);
  assert.match(codeOf('Python', REQUEST, selfSigned), /context=ssl\._create_unverified_context\(\)/);
});

test('the TypeScript calls the client with the text and the options', () => {
  const code = codeOf('TypeScript', REQUEST, { ...SERVICE, keyHeader: 'X-Acme-Key' });
  assert.ok(code.includes(`toponym.query(${JSON.stringify(REQUEST.endpoint === 'query' && REQUEST.text)}, {\n`), code);
  assert.ok(code.includes('  type: ["city","suburban area"],\n  aroundRadius: 5000,\n'), code);
  assert.ok(code.includes('keyHeader: "X-Acme-Key"'), code);
});

test('the TypeScript has a key that a header can contain, and says how to trust a self-signed certificate', () => {
  const [, key = ''] = /key: '(.*)'/.exec(codeOf('TypeScript')) ?? [];
  assert.equal(new Headers({ 'X-Service-Key': key }).get('X-Service-Key'), key);
  assert.match(key, /^tpk_./);
  const note = '// run with NODE_EXTRA_CA_CERTS=state/tls/cert.pem\n';
  assert.ok(codeOf('TypeScript', REQUEST, { ...SERVICE, isSelfSigned: true }).startsWith(note));
  assert.ok(!codeOf('TypeScript').includes('NODE_EXTRA_CA_CERTS'));
});

test('a click on the map becomes a reverse request', () => {
  const request: SearchRequest = {
    endpoint: 'reverse',
    point: { lat: 48.85, lng: 2.35 },
    options: { hitsPerPage: 10 },
  };
  assert.match(codeOf('curl', request), /\/api\/1\/reverse .* -d aroundLatLng=48\.85,2\.35/);
  assert.match(
    codeOf('TypeScript', request),
    /toponym\.reverse\(\{ lat: 48\.85, lng: 2\.35 \}, \{\n {2}hitsPerPage: 10,/,
  );
});
