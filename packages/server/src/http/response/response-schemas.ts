/**
 * The one description of the API's responses, as JSON Schema: the OpenAPI document has these schemas, and
 * `npm run docs` writes the client's types from them (packages/client/src/api-types.ts), with the first sentence of each
 * description. Field names follow Algolia Places. A schema with a title becomes a type of that name.
 */
import { MAX_RECORDS } from 'toponym-access/keys/key-record';
import { MATCH_CODES, MATCH_LEVELS } from 'toponym-engine/engine';
import { PLACE_TYPES } from 'toponym-engine/place/place';
import { ERRORS } from '../error-codes.ts';

/** What is used of JSON Schema here. */
export interface Schema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const kind = (type: string) => (description: string, limits?: Schema) => ({ type, ...limits, description });
const text = kind('string');
const flag = kind('boolean');
const number = kind('number');
const integer = kind('integer');
const listOf = (items: Schema, description: string, limits?: Schema) =>
  kind('array')(description, { items, ...limits });
const texts = (description: string) => listOf({ type: 'string' }, description);
/** An object with any property names. */
const mapOf = (additionalProperties: Schema, description: string) =>
  kind('object')(description, { additionalProperties });
/** Generators of clients need the type beside the values. */
const wordOf = (title: string, words: readonly string[], description: string) => ({
  enum: words,
  type: 'string',
  title,
  description,
});

/** A field whose name ends in `?` may be absent. */
function object(title: string, description: string, fields: Readonly<Record<string, Schema>>): Schema {
  const required = Object.keys(fields).filter((name) => !name.endsWith('?'));
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name.replace('?', ''), schema]),
  );
  return { type: 'object', required, properties, title, description };
}

const LAT = number('Latitude in decimal degrees.', { minimum: -90, maximum: 90 });
const LNG = number('Longitude in decimal degrees.', { minimum: -180, maximum: 180 });

const recordFields = {
  objectID: text('Identifier: a letter for the source, then digits.'),
  name: text('The name, in the requested language if known.'),
  type: wordOf('PlaceType', PLACE_TYPES, 'The kind of settlement.'),
  label: text(
    'The name and where the place is, as people write it; no two hits have the same. A suburban area is shown with its city, a place in federal and some other countries with its first-level region, and each with what distinguishes it from the other hits.',
  ),
  country: text("The country's name, in the requested language if known."),
  country_code: text('ISO 3166-1 alpha-2, lower case.'),
  administrative: texts('First-level regions, in the requested language if known.'),
  county: texts('Second-level regions, in the requested language if known.'),
  'population?': number('Number of people; absent if unknown.'),
  importance: number('How likely people are to mean the place, mostly by its population.', { minimum: 0, maximum: 1 }),
  'timezone?': text('IANA name, such as `Europe/Paris`; absent if unknown.'),
  _geoloc: object('Point', 'A point; that of a place is its centre.', { lat: LAT, lng: LNG }),
  bbox: listOf(
    { type: 'number' },
    'Extent as west, south, east, north; west is greater than east across the antimeridian. The order is that of GeoJSON. An estimate, unless the source of the place has its extent.',
    { minItems: 4, maxItems: 4 },
  ),
};

export const PlaceRecordSchema = object('PlaceRecord', 'The fields that hits and full records share.', recordFields);

const RankingInfoSchema = object(
  'RankingInfo',
  'Explains the rank of the hit. Present only with `getRankingInfo=true`.',
  {
    stage: text('The reading of the query that found the hit.'),
    nbTypos: integer('Typos in the match.'),
    firstMatchedWord: integer('Index of the first matched word in the name that matched.'),
    proximityDistance: integer(
      'Words of the name between matched words; 0 if they are adjacent, or if there is only one.',
    ),
    userScore: integer('Importance, from 0 to 10000.'),
    geoDistance: integer('Metres; 0 without a point.'),
    geoPrecision: integer('Always 1: distances are exact to the metre.'),
    nbExactWords: integer(
      'Number of query words that match exactly: whole words of the name, or full names of regions.',
    ),
    words: integer("Number of query words that matched, in the place's names or regions."),
    filters: integer('Number of filters set.'),
    'matchedGeoLocation?': object('MatchedGeoLocation', 'With a point: where the place is, and how far.', {
      lat: LAT,
      lng: LNG,
      'distance?': integer('Metres from the point.'),
    }),
    criteria: mapOf({ type: 'number' }, '`score`, which orders the hits, and the parts that add up to it.'),
    'decidedBy?': text(
      'The part of the score in which this hit is furthest ahead of the next one; `id` if the scores are equal.',
    ),
  },
);

const HitSchema = object('Hit', 'A place, and how well it matched and why.', {
  ...recordFields,
  'distance?': integer('Metres from the point, if there is one.'),
  'bearing?': number(
    'Degrees clockwise from north, from the point to the place. Only in reverse lookups and for coordinates.',
  ),
  'inside?': flag('Whether the point probably lies in the place. Only with `mode=containing` and for coordinates.'),
  'confidence?': number(
    'Probability that this is the place meant. Of the first hits with 0.9, about nine of ten are right. 0 if no text was given. Absent in reverse lookups and for coordinates.',
    { minimum: 0, maximum: 1 },
  ),
  'matchCode?': wordOf(
    'MatchCode',
    MATCH_CODES,
    'How the text matches. `exact`, the whole name; `alias`, another whole name of the place; `ambiguous`, a whole name that other places have too, and none is likelier than not; `corrected`, with typos; `partial`, a part of the name or of the text; `region`, a main place of the region that was typed. Absent like `confidence`.',
  ),
  'matchedName?': object('MatchedName', 'The name that matched, if it is not `name`.', {
    value: text('The name as the data has it.'),
    'language?': text('BCP 47 tag of its language; absent if unknown.'),
    typos: integer('Typos in the match.', { minimum: 0 }),
  }),
  _highlightResult: object('HighlightResult', 'What to show of the match.', {
    name: object('HighlightedName', 'The name, with the matched parts marked.', {
      value: text('HTML: matched words in `<em>`, the rest escaped.'),
      matchLevel: wordOf('MatchLevel', MATCH_LEVELS, 'How much of the text the name matches.'),
      matchedWords: texts('The typed words that matched.'),
    }),
  }),
  '_rankingInfo?': RankingInfoSchema,
});

const WordChangeSchema = object('WordChange', 'A word that was replaced.', {
  from: text('As typed.'),
  to: text('What it was taken for.'),
});

export const ResultSchema = object('Hits', 'The hits, and what was searched.', {
  hits: listOf(HitSchema, 'The places, best first.', { maxItems: MAX_RECORDS }),
  nbHits: integer('Number of places that match as typed and pass the filters.'),
  'exhaustiveNbHits?': flag('`false` if nbHits is not exact; otherwise absent.'),
  'exhaustive?': flag(
    '`false` if the search used up its work budget, so that better hits may exist; otherwise absent.',
  ),
  hitsPerPage: integer('The value used, after applying the limits of the service and the key.'),
  query: text('The query as sent.'),
  params: text('The options used, as a URL query string.'),
  processingTimeMS: number('Time spent searching, in milliseconds.', { minimum: 0 }),
  'aroundLatLng?': text('The point used, `lat,lng`.'),
  'pointCountry?': {
    anyOf: [{ type: 'string' }, { type: 'null' }],
    description:
      'The country of the point (ISO 3166-1 alpha-2, lower case), `null` if it is in none. Only with `mode=containing` and for coordinates.',
  },
  'message?': text('Says why the search ran without the requested point; otherwise absent.'),
  'matchedRegion?': object('MatchedRegion', 'The region that the query names, if its main places are among the hits.', {
    name: text('In the requested language if known.'),
    code: text('ISO 3166-1 code of a country, or key of a division: `US.TX`.'),
    level: integer('0 for a country, 1 and 2 for divisions.', { minimum: 0, maximum: 2 }),
  }),
  'degradedQuery?': object('DegradedQuery', 'Present if the best hit does not match all words as typed.', {
    query: text('The query used instead.'),
    dropped: texts('Words that the place lacks.'),
    corrected: listOf(WordChangeSchema, 'Misspelt words, and what they were taken for.'),
    expanded: listOf(WordChangeSchema, 'Unfinished names of regions, and the whole names.'),
  }),
  dataset: object('Dataset', 'The data that answered.', {
    version: text('Source and date of the data.'),
    attribution: texts('Whom to credit where the places are shown.'),
    places: integer('Number of places in the data.', { minimum: 0 }),
  }),
});

export const FullRecordSchema = object('FullRecord', 'A place with all its names.', {
  ...recordFields,
  names: mapOf(
    { type: 'array', items: { type: 'string' } },
    'All names by BCP 47 tag; `und` if the language is unknown.',
  ),
  'supersededBy?': text('Identifier of the successor, if the requested one is merged or retired.'),
});

const errorFields = {
  message: text('What is wrong, and what would work.'),
  status: integer('The HTTP status.'),
  code: wordOf('ErrorCode', Object.keys(ERRORS), errorCodeList()),
  requestId: text('Identifies the response in the log of the service; also in `X-Request-Id`.'),
};

export const ErrorSchema = object('ApiError', 'Why a request failed.', errorFields);

export const ProblemSchema = object('Problem', 'Why a request failed, in the form of RFC 9457.', {
  type: text('Always `about:blank`; `code` says what happened.'),
  title: text('The phrase of the HTTP status.'),
  detail: text('The same as `message`.'),
  ...errorFields,
});

/** As a list in Markdown. It is the only place for codes that no operation sends, such as that of a wrong method. */
function errorCodeList(): string {
  const lines = Object.entries(ERRORS).map(([code, { status, message }]) => `- \`${code}\` (${status}): ${message}`);
  return `What happened. The codes and their statuses:\n\n${lines.join('\n')}`;
}
