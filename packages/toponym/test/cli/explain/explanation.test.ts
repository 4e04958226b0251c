import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from '../../../../../test/support/command.ts';
import { worldIndex } from '../../../../../test/support/world-index.ts';
import type { Hit, Hits } from '../../../../client/src/client.ts';
import { explain as explainStyled } from '../../../src/cli/explain/explanation.ts';

const WIDE = 80;

interface HitSketch {
  readonly label: string;
  readonly criteria: Record<string, number>;
  readonly decidedBy?: string;
  readonly stage?: string;
  readonly matchedName?: Hit['matchedName'];
}

function aHit({ label, criteria, decidedBy, stage = 'asTyped', matchedName }: HitSketch): Hit {
  return { label, matchedName, _rankingInfo: { stage, criteria, decidedBy } } as unknown as Hit;
}

function aResponse(hits: readonly Hit[], rest: Partial<Hits> = {}): Hits {
  return { hits, nbHits: hits.length, query: 'paris', ...rest } as Hits;
}

const PARIS = aHit({
  label: 'Paris, France',
  criteria: { score: 0.58, exact: -0.3, importance: 0.88 },
  decidedBy: 'importance',
});
const PAR = aHit({ label: 'Par, England', criteria: { score: 0.44, importance: 0.4, geo: 0.04 } });

function explain(response: Hits, width: number): string {
  return String(explainStyled(response, width));
}

test('each hit has its rank, label, bar and score, why it is above the next one, and its parts', () => {
  assert.equal(
    explain(aResponse([PARIS, PAR]), WIDE),
    [
      '“paris”',
      'All words are one name, as typed.',
      '',
      ' 1  Paris, France                                ████████████████░░░░░░░░   0.58',
      '    Why: More important than the next one (+0.48).',
      '    importance +0.88, incomplete name −0.30',
      '',
      ' 2  Par, England                                 ███████████▓               0.44',
      '    importance +0.40, nearness +0.04',
      '',
      '█ importance of the place   ▓ nearness to the point   ░ lost by the match',
      '',
      '2 of 2',
    ].join('\n'),
  );
});

test('lines fit 40, 80 and 120 columns, and a narrow terminal has the bar below the label', () => {
  const long = 'Llanfairpwllgwyngyll, Isle of Anglesey, Wales, United Kingdom of Great Britain';
  const hits = [
    aHit({ label: long, criteria: { score: 1, importance: 0.9, geo: 0.1 }, decidedBy: 'words' }),
    PARIS,
    PAR,
  ];
  const response = aResponse(hits, { message: 'aroundLatLngViaIP: 127.0.0.1 could not be located' });
  for (const width of [40, 80, 120]) {
    for (const line of explain(response, width).split('\n')) {
      assert.ok(line.length <= width && !line.endsWith(' '), `${width}: ${JSON.stringify(line)}`);
    }
  }
  assert.match(
    explain(response, 40),
    /^ 2 {2}Paris, France\n {4}█+░+ +0\.58\n {4}Why: [^+]*\(\+0\.48\)\.\n {4}importance \+0\.88,\n {4}incomplete name −0\.30$/m,
  );
});

test('corrected, completed and dropped words are named', () => {
  const degradedQuery = {
    query: 'Paris, Texas',
    dropped: ['hotel'],
    corrected: [{ from: 'pariss', to: 'Paris' }],
    expanded: [{ from: 'tex', to: 'Texas' }],
  };
  const [head] = explain(aResponse([PARIS], { query: 'hotel pariss tex', degradedQuery }), WIDE).split('\n\n');
  assert.deepEqual(head?.split('\n').slice(2), [
    'Searched for “Paris, Texas”.',
    'Corrected “pariss” to “Paris”.',
    'Completed “tex” to “Texas”.',
    'Left out “hotel”.',
  ]);
});

test('a hit found in another way than the first, and one found by another name, say so', () => {
  const matchedName = { value: 'Lutetia', language: 'la', typos: 1 };
  const other = aHit({ label: 'Paris', criteria: { score: 0.1 }, stage: 'oneTypo', matchedName });
  const text = explain(aResponse([PARIS, other]), WIDE);
  assert.match(text, /\n {4}The name has one typo\.\n {4}Matched by its name “Lutetia” \(la\) with 1 typo\.\n/);
});

test('a single match, no match and hits without a score are explained', () => {
  assert.match(explain(aResponse([PARIS]), WIDE), /Why: It is the only match\./);
  assert.match(explain(aResponse([]), WIDE), /Check the spelling[\s\S]*No places found\.$/);
  const there = { label: 'Paris, France', distance: 1389 } as Hit;
  const atPoint = explain(aResponse([there], { aroundLatLng: '48.85,2.35' }), WIDE);
  assert.match(atPoint, /They\shave no score\./);
  assert.match(atPoint, /^ 1 {2}Paris, France\n {4}1,389 m from the point$/m);
});

test('a score below zero has a bar of losses alone', () => {
  const hit = aHit({ label: 'Oslo', criteria: { score: -0.2, words: -0.9, importance: 0.7 } });
  assert.match(explain(aResponse([hit]), WIDE), /Oslo +░{24} +-0\.20\n/);
});

test('control characters in labels and queries are escaped', () => {
  const hit = aHit({ label: 'Pa\u001b[31mris', criteria: { score: 1, importance: 1 } });
  const text = explain(aResponse([hit], { query: 'a\nb' }), WIDE);
  assert.match(text, /^“a\\nb”\n/);
  assert.match(text, /Pa\\x1b\[31mris/);
});

test('explain says how the query was understood, and why each hit is above the next', async () => {
  const args = ['explain', 'springfield', 'il', '--index', await worldIndex()];
  const { stdout, stderr, code } = await runCommand(args);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^“springfield il”\nSome words are the name, the others are its region\.\n/);
  assert.match(stdout, /^ 1 {2}Springfield, Illinois, United States +█+ +0\.60$/m);
  const flagged = await runCommand(['query', '--explain', ...args.slice(1)]);
  assert.equal(flagged.stdout, stdout);
});

test('explain --json prints the response of the API with the ranking information', async () => {
  const given = ['paris', '--type', 'city', '--around-lat-lng', '33.6,-95.5', '--index', await worldIndex(), '--json'];
  const explained = JSON.parse((await runCommand(['explain', ...given])).stdout);
  const queried = JSON.parse((await runCommand(['query', ...given, '--get-ranking-info'])).stdout);
  assert.deepEqual({ ...explained, processingTimeMS: 0 }, { ...queried, processingTimeMS: 0 });
  assert.equal(typeof explained.hits[0]._rankingInfo.criteria.score, 'number');
});
