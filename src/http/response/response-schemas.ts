/**
 * Schemas of responses, for the OpenAPI document. Field names follow Algolia Places. A schema with a
 * title becomes a component of the document, and so a type of that name in generated clients.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { MAX_RECORDS } from '../../access/keys/key-record.ts';
import { MATCH_CODES, MATCH_LEVELS } from '../../engine/engine.ts';
import { PLACE_TYPES } from '../../place/place.ts';
import { ERRORS } from '../error-codes.ts';

/** An object with any property names. Unlike that of Type.Record, its schema is understood by generators. */
function mapOf<Values extends TSchema>(values: Values, description: string) {
  return Type.Unsafe<Record<string, Static<Values>>>({ type: 'object', additionalProperties: values, description });
}

/** Generators need the type beside the values. */
function wordOf<Word extends string>(title: string, values: readonly Word[], description: string) {
  return Type.Enum([...values], { type: 'string', title, description });
}

const LAT = Type.Number({ minimum: -90, maximum: 90, description: 'Latitude in decimal degrees.' });
const LNG = Type.Number({ minimum: -180, maximum: 180, description: 'Longitude in decimal degrees.' });

const recordFields = {
  objectID: Type.String({ description: 'Identifier: a letter for the source, then digits.' }),
  name: Type.String({ description: 'The name, in the requested language if known.' }),
  type: wordOf('PlaceType', PLACE_TYPES, 'The kind of settlement.'),
  label: Type.String({
    description:
      'The name and where the place is, as people write it: with its city for a suburban area, with the first-level ' +
      'region in federal and some other countries, and with what distinguishes it from the other hits. No two hits ' +
      'have the same label.',
  }),
  country: Type.String({ description: "The country's name, in the requested language if known." }),
  country_code: Type.String({ description: 'ISO 3166-1 alpha-2, lower case.' }),
  administrative: Type.Array(Type.String(), {
    description: 'First-level regions, in the requested language if known.',
  }),
  county: Type.Array(Type.String(), { description: 'Second-level regions, in the requested language if known.' }),
  population: Type.Optional(Type.Number({ description: 'Number of people. Absent if unknown.' })),
  importance: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'How likely people are to mean the place, mostly by its population.',
  }),
  timezone: Type.Optional(Type.String({ description: 'IANA name: `Europe/Paris`. Absent if unknown.' })),
  _geoloc: Type.Object({ lat: LAT, lng: LNG }, { title: 'Point', description: 'The centre of the place.' }),
  bbox: Type.Array(Type.Number(), {
    minItems: 4,
    maxItems: 4,
    description:
      "Extent in GeoJSON's order: west, south, east, north. An estimate, unless the source of the place has its extent. " +
      'West is greater than east if the box crosses the antimeridian.',
  }),
};

const rankingInfoFields = {
  stage: Type.String({ description: 'The stage of the search that found the hit.' }),
  nbTypos: Type.Integer({ description: 'Typos in the match.' }),
  firstMatchedWord: Type.Integer({ description: 'Index of the first matched word in the name that matched.' }),
  proximityDistance: Type.Integer({
    description: 'Words of the name between matched words; 0 if they are adjacent, or if there is only one.',
  }),
  userScore: Type.Integer({ description: 'Importance, from 0 to 10000.' }),
  geoDistance: Type.Integer({ description: 'Metres; 0 without a point.' }),
  geoPrecision: Type.Integer({ description: 'Always 1: distances are exact to the metre.' }),
  nbExactWords: Type.Integer({
    description: 'Number of query words that match exactly: whole words of the name, or full names of regions.',
  }),
  words: Type.Integer({ description: "Number of query words that matched, in the place's names or regions." }),
  filters: Type.Integer({ description: 'Number of filters set.' }),
  matchedGeoLocation: Type.Optional(
    Type.Object(
      { lat: LAT, lng: LNG, distance: Type.Optional(Type.Integer({ description: 'Metres from the point.' })) },
      { title: 'MatchedGeoLocation', description: 'With a point: where the place is, and how far.' },
    ),
  ),
  criteria: mapOf(Type.Number(), '`score`, which orders the hits, and the parts that add up to it.'),
  decidedBy: Type.Optional(
    Type.String({
      description:
        'The part of the score in which this hit is furthest ahead of the next one; `id` if the scores are equal.',
    }),
  ),
};

const hitFields = {
  ...recordFields,
  distance: Type.Optional(Type.Integer({ description: 'Metres from the point, if there is one.' })),
  bearing: Type.Optional(
    Type.Number({
      description:
        'Only in reverse lookups and for coordinates: degrees clockwise from north, from the point to the place.',
    }),
  ),
  inside: Type.Optional(
    Type.Boolean({
      description: 'Only with `mode=containing` and for coordinates: whether the point probably lies in the place.',
    }),
  ),
  confidence: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Probability that this is the place meant: of the first hits with 0.9, about nine of ten are right. 0 if no ' +
        'text was given. Absent in reverse lookups and for coordinates.',
    }),
  ),
  matchCode: Type.Optional(
    wordOf(
      'MatchCode',
      MATCH_CODES,
      'How the text matches: `exact`, the whole name; `alias`, another whole name of the place; `ambiguous`, a whole ' +
        'name that other places have too, and none is likelier than not; `corrected`, with typos; `partial`, a part of ' +
        'the name or of the text; `region`, a main place of the region that was typed. Absent like `confidence`.',
    ),
  ),
  matchedName: Type.Optional(
    Type.Object(
      {
        value: Type.String({ description: 'The name as the data has it.' }),
        language: Type.Optional(Type.String({ description: 'BCP 47 tag of its language. Absent if unknown.' })),
        typos: Type.Integer({ minimum: 0, description: 'Typos in the match.' }),
      },
      { title: 'MatchedName', description: 'The name that matched, if it is not `name`.' },
    ),
  ),
  _highlightResult: Type.Object(
    {
      name: Type.Object(
        {
          value: Type.String({ description: 'HTML: every word that matches in <em>, the rest escaped.' }),
          matchLevel: wordOf('MatchLevel', MATCH_LEVELS, 'How much of the text the name matches.'),
          matchedWords: Type.Array(Type.String(), { description: 'The typed words that matched.' }),
        },
        { title: 'HighlightedName', description: 'The name, with the matched parts marked.' },
      ),
    },
    { title: 'HighlightResult', description: 'What to show of the match.' },
  ),
  _rankingInfo: Type.Optional(
    Type.Object(rankingInfoFields, {
      title: 'RankingInfo',
      description: 'Explains the rank of the hit. Present only with `getRankingInfo=true`.',
    }),
  ),
};

const HitSchema = Type.Object(hitFields, { title: 'Hit', description: 'A place, and how well it matched and why.' });

const WordChangeSchema = Type.Object(
  { from: Type.String({ description: 'As typed.' }), to: Type.String({ description: 'What it was taken for.' }) },
  { title: 'WordChange', description: 'A word that was replaced.' },
);

const resultFields = {
  hits: Type.Array(HitSchema, { maxItems: MAX_RECORDS, description: 'The places, best first.' }),
  nbHits: Type.Integer({ description: 'Number of places that match as typed and pass the filters.' }),
  exhaustiveNbHits: Type.Optional(Type.Boolean({ description: '`false` if nbHits is not exact; otherwise absent.' })),
  exhaustive: Type.Optional(
    Type.Boolean({
      description: '`false` if the search used up its work budget; better hits may exist. Otherwise absent.',
    }),
  ),
  hitsPerPage: Type.Integer({ description: 'The value used, after applying the limits of the service and the key.' }),
  query: Type.String({ description: 'The query as sent.' }),
  params: Type.String({ description: 'The options used, as a URL query string.' }),
  processingTimeMS: Type.Number({ minimum: 0, description: 'Time spent searching, in milliseconds.' }),
  aroundLatLng: Type.Optional(Type.String({ description: 'The point used, `lat,lng`.' })),
  pointCountry: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description:
        'Only with `mode=containing` and for coordinates: the country of the point (ISO 3166-1 alpha-2, lower case), `null` if it is in none.',
    }),
  ),
  message: Type.Optional(
    Type.String({ description: 'Present if the search ran without the requested point; says why.' }),
  ),
  matchedRegion: Type.Optional(
    Type.Object(
      {
        name: Type.String({ description: 'In the requested language if known.' }),
        code: Type.String({ description: 'ISO 3166-1 code of a country, or key of a division: `US.TX`.' }),
        level: Type.Integer({ minimum: 0, maximum: 2, description: '0 for a country, 1 and 2 for divisions.' }),
      },
      {
        title: 'MatchedRegion',
        description: 'The region that the query names, if its main places are among the hits.',
      },
    ),
  ),
  degradedQuery: Type.Optional(
    Type.Object(
      {
        query: Type.String({ description: 'The query used instead.' }),
        dropped: Type.Array(Type.String(), { description: 'Words that the place lacks.' }),
        corrected: Type.Array(WordChangeSchema, { description: 'Misspelt words, and what they were taken for.' }),
        expanded: Type.Array(WordChangeSchema, { description: 'Unfinished names of regions, and the whole names.' }),
      },
      { title: 'DegradedQuery', description: 'Present if the best hit does not match all words as typed.' },
    ),
  ),
  dataset: Type.Object(
    {
      version: Type.String({ description: 'Source and date of the data.' }),
      attribution: Type.Array(Type.String(), { description: 'Whom to credit where the places are shown.' }),
      places: Type.Integer({ minimum: 0, description: 'Number of places in the data.' }),
    },
    { title: 'Dataset', description: 'The data that answered.' },
  ),
};

export const ResultSchema = Type.Object(resultFields, {
  title: 'Hits',
  description: 'The hits, and what was searched.',
});

export const FullRecordSchema = Type.Object(
  {
    ...recordFields,
    names: mapOf(Type.Array(Type.String()), 'All names by BCP 47 tag; `und` if the language is unknown.'),
    supersededBy: Type.Optional(
      Type.String({ description: 'Identifier of the successor, if the requested one is merged or retired.' }),
    ),
  },
  { title: 'FullRecord', description: 'A place with all its names.' },
);

const errorFields = {
  message: Type.String({ description: 'What is wrong, and what would work.' }),
  status: Type.Integer({ description: 'The HTTP status.' }),
  code: wordOf('ErrorCode', Object.keys(ERRORS), errorCodeList()),
  requestId: Type.String({ description: 'Identifies the response in the log of the service; also in `X-Request-Id`.' }),
};

export const ErrorSchema = Type.Object(errorFields, { title: 'ApiError', description: 'Why a request failed.' });

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'Always `about:blank`; `code` says what happened.' }),
    title: Type.String({ description: 'The phrase of the HTTP status.' }),
    detail: Type.String({ description: 'The same as `message`.' }),
    ...errorFields,
  },
  { title: 'Problem', description: 'Why a request failed, in the form of RFC 9457.' },
);

/** As a list in Markdown. It is the only place for codes that no operation sends, such as that of a wrong method. */
function errorCodeList(): string {
  const lines = Object.entries(ERRORS).map(([code, { status, message }]) => `- \`${code}\` (${status}): ${message}`);
  return `What happened. The codes and their statuses:\n\n${lines.join('\n')}`;
}
