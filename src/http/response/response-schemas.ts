/** Schemas of responses, for the OpenAPI document. Field names follow Algolia Places. */
import { Type } from 'typebox';
import { MAX_RECORDS } from '../../access/keys/key-record.ts';
import { MATCH_CODES, MATCH_LEVELS } from '../../engine/engine.ts';
import { PLACE_TYPES } from '../../place/place.ts';
import { ERRORS } from '../errors.ts';

const recordFields = {
  objectID: Type.String({ description: 'Identifier: a letter for the source, then digits.' }),
  name: Type.String({ description: 'The name, in the requested language if known.' }),
  type: Type.Enum([...PLACE_TYPES]),
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
  population: Type.Optional(Type.Number({ description: 'Absent if unknown.' })),
  importance: Type.Number({ minimum: 0, maximum: 1 }),
  timezone: Type.Optional(Type.String()),
  _geoloc: Type.Object({ lat: Type.Number(), lng: Type.Number() }),
  bbox: Type.Array(Type.Number(), {
    minItems: 4,
    maxItems: 4,
    description:
      "Extent in GeoJSON's order: west, south, east, north. An estimate, unless the source of the place has its extent. " +
      'West is greater than east if the box crosses the antimeridian.',
  }),
};

const RankingInfoSchema = Type.Object({
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
    Type.Object({ lat: Type.Number(), lng: Type.Number(), distance: Type.Optional(Type.Integer()) }),
  ),
  criteria: Type.Record(Type.String(), Type.Number(), {
    description: '`score`, which orders the hits, and the parts that add up to it.',
  }),
  decidedBy: Type.Optional(
    Type.String({
      description:
        'The part of the score in which this hit is furthest ahead of the next one; `id` if the scores are equal.',
    }),
  ),
});

export const HitSchema = Type.Object({
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
    Type.Enum([...MATCH_CODES], {
      description:
        'How the text matches: `exact`, the whole name; `alias`, another whole name of the place; `ambiguous`, a whole ' +
        'name that other places have too, and none is likelier than not; `corrected`, with typos; `partial`, a part of ' +
        'the name or of the text; `region`, a main place of the region that was typed. Absent like `confidence`.',
    }),
  ),
  matchedName: Type.Optional(
    Type.Object(
      { value: Type.String(), language: Type.Optional(Type.String()), typos: Type.Integer() },
      { description: 'The name that matched, if it is not `name`.' },
    ),
  ),
  _highlightResult: Type.Object({
    name: Type.Object({
      value: Type.String({ description: 'HTML: every word that matches in <em>, the rest escaped.' }),
      matchLevel: Type.Enum([...MATCH_LEVELS]),
      matchedWords: Type.Array(Type.String()),
    }),
  }),
  _rankingInfo: Type.Optional(RankingInfoSchema),
});

const wordChanges = (description: string) =>
  Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), { description });

export const ResultSchema = Type.Object({
  hits: Type.Array(HitSchema, { maxItems: MAX_RECORDS }),
  nbHits: Type.Integer({ description: 'Number of places that match as typed and pass the filters.' }),
  exhaustiveNbHits: Type.Optional(Type.Boolean({ description: '`false` if nbHits is not exact; otherwise absent.' })),
  exhaustive: Type.Optional(
    Type.Boolean({
      description: '`false` if the search used up its work budget; better hits may exist. Otherwise absent.',
    }),
  ),
  hitsPerPage: Type.Integer({ description: 'The value used, after applying the limits of the service and the key.' }),
  query: Type.String(),
  params: Type.String({ description: 'The options used, as a URL query string.' }),
  processingTimeMS: Type.Number(),
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
      { description: 'The region that the query names, if its main places are among the hits.' },
    ),
  ),
  degradedQuery: Type.Optional(
    Type.Object(
      {
        query: Type.String({ description: 'The query used instead.' }),
        dropped: Type.Array(Type.String(), { description: 'Words that the place lacks.' }),
        corrected: wordChanges('Misspelt words, and what they were taken for.'),
        expanded: wordChanges('Unfinished names of regions, and the whole names.'),
      },
      { description: 'Present if the best hit does not match all words as typed.' },
    ),
  ),
  dataset: Type.Object({
    version: Type.String(),
    attribution: Type.Array(Type.String()),
    places: Type.Integer(),
  }),
});

export const FullRecordSchema = Type.Object({
  ...recordFields,
  names: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'All names by BCP 47 tag; `und` if the language is unknown.',
  }),
  supersededBy: Type.Optional(
    Type.String({ description: 'Id of the successor, if the requested id is merged or retired.' }),
  ),
});

export const ErrorSchema = Type.Object({
  message: Type.String(),
  status: Type.Integer(),
  code: Type.Enum(Object.keys(ERRORS)),
  requestId: Type.String(),
});

export const ProblemSchema = Type.Object({
  type: Type.String(),
  title: Type.String(),
  detail: Type.String(),
  ...ErrorSchema.properties,
});
