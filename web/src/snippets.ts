/** A request as a program that sends it, in three languages. */

import { formatPoint, type SearchRequest } from './page-state.ts';

export interface Service {
  /** Such as `https://places.example.com`. */
  readonly origin: string;
  readonly key: string;
  readonly keyHeader: string;
  readonly isSelfSigned: boolean;
}

export interface Snippet {
  readonly language: string;
  readonly code: string;
}

export function snippetsOf(request: SearchRequest, service: Service): Snippet[] {
  return [
    { language: 'curl', code: curlCommand(request, service) },
    { language: 'TypeScript', code: typeScriptProgram(request, service) },
    { language: 'Python', code: pythonProgram(request, service) },
  ];
}

/**
 * The shortest command that works. The page's key works only with the Origin of the page; the page
 * needs the ranking information, a reader seldom does.
 */
function curlCommand(request: SearchRequest, { origin, key, keyHeader, isSelfSigned }: Service): string {
  const words = ['curl', ...(isSelfSigned ? ['-k'] : []), `${origin}/api/1/${request.endpoint}`];
  words.push('-H', `${keyHeader}:${key}`, '-H', `Origin:${origin}`);
  for (const [name, value] of formOf(request).filter(([name]) => name !== 'getRankingInfo')) {
    // these mean something else in a form
    words.push(/[&+%\p{Cc}]/u.test(value) ? '--data-urlencode' : '-d', `${name}=${value}`);
  }
  return words.map(shellWord).join(' ');
}

/** The word in quotes, unless every shell reads it as it is. */
function shellWord(word: string): string {
  return /^[\w./:,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Needs a key of its own: the page's key works only from the page. */
function typeScriptProgram(request: SearchRequest, { origin, keyHeader, isSelfSigned }: Service): string {
  const subject =
    request.endpoint === 'query'
      ? JSON.stringify(request.text)
      : `{ lat: ${request.point.lat}, lng: ${request.point.lng} }`;
  const options = Object.entries(request.options).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  return [
    ...(isSelfSigned ? ['// run with NODE_EXTRA_CA_CERTS=state/tls/cert.pem'] : []),
    "import { createClient } from 'toponym-client'; // docs/install.md says how to get the package",
    '',
    'const toponym = createClient({',
    `  url: ${JSON.stringify(origin)},`,
    "  key: 'tpk_YOUR_KEY', // created by: npx toponym keys create --label my-app",
    ...(keyHeader === 'X-Service-Key' ? [] : [`  keyHeader: ${JSON.stringify(keyHeader)},`]),
    '});',
    `const { hits } = await toponym.${request.endpoint}(${subject}, {`,
    ...options,
    '});',
    'for (const { label } of hits) console.log(label);',
  ].join('\n');
}

function pythonProgram(request: SearchRequest, { origin, key, keyHeader, isSelfSigned }: Service): string {
  const headers = { [keyHeader]: key, Origin: origin };
  const entries = (pairs: Iterable<readonly [string, string]>) =>
    [...pairs].map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  return [
    `import json${isSelfSigned ? ', ssl' : ''}`,
    'from urllib.parse import urlencode',
    'from urllib.request import Request, urlopen',
    '',
    `url = ${JSON.stringify(`${origin}/api/1/${request.endpoint}`)}`,
    'headers = {',
    ...entries(Object.entries(headers)),
    '}',
    'options = {',
    ...entries(formOf(request)),
    '}',
    'request = Request(url, urlencode(options).encode(), headers)',
    `with urlopen(request${isSelfSigned ? ', context=ssl._create_unverified_context()' : ''}) as response:`,
    '    for hit in json.load(response)["hits"]:',
    '        print(hit["label"])',
  ].join('\n');
}

/** The options as a form has them: lists are written with commas. */
function formOf(request: SearchRequest): [string, string][] {
  const subject = request.endpoint === 'query' ? { query: request.text } : { aroundLatLng: formatPoint(request.point) };
  return Object.entries({ ...subject, ...request.options }).map(([name, value]) => [name, String(value)]);
}
