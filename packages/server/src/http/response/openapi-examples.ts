/**
 * Requests to a service with the embedded data and its responses, as examples of the OpenAPI document. A
 * test repeats them.
 */

import type { EndpointName } from 'toponym-engine/options';
import { ERRORS, type ErrorCode } from '../error-codes.ts';
import { errorResponse, RequestError } from '../errors.ts';
import { STATUS_CODES } from '../node-http.ts';

interface EndpointExample {
  readonly summary: string;
  readonly request: Readonly<Record<string, string | number>>;
  readonly response: object;
}

const DATASET = {
  version: 'geonames-cities500-2023-03-05-cities1000-2026-09',
  attribution: [
    'GeoNames (https://www.geonames.org/), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)',
    'SimpleMaps World Cities (https://simplemaps.com/data/world-cities), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)',
  ],
  places: 229_771,
};

export const ENDPOINT_EXAMPLES: Readonly<Record<EndpointName, EndpointExample>> = {
  query: {
    summary: 'A name with a typo, and a region',
    request: { query: 'sprngfield il', hitsPerPage: 1 },
    response: {
      hits: [
        {
          objectID: 'G4250542',
          name: 'Springfield',
          type: 'city',
          label: 'Springfield, Illinois, United States',
          country: 'United States',
          country_code: 'us',
          administrative: ['Illinois'],
          county: ['Sangamon County'],
          population: 116_565,
          importance: 0.7395,
          timezone: 'America/Chicago',
          _geoloc: { lat: 39.80172, lng: -89.64371 },
          bbox: [-89.69326, 39.76365, -89.59416, 39.83979],
          confidence: 0.987,
          matchCode: 'corrected',
          _highlightResult: {
            name: { value: '<em>Springfield</em>', matchLevel: 'full', matchedWords: ['sprngfield'] },
          },
        },
      ],
      nbHits: 1,
      exhaustiveNbHits: false,
      hitsPerPage: 1,
      query: 'sprngfield il',
      params: 'query=sprngfield%20il&hitsPerPage=1',
      processingTimeMS: 0.214,
      degradedQuery: {
        query: 'Springfield il',
        dropped: [],
        corrected: [{ from: 'sprngfield', to: 'Springfield' }],
        expanded: [],
      },
      dataset: DATASET,
    },
  },
  id: {
    summary: 'A place in the language of its names',
    request: { objectID: 'G3041204', language: 'ru' },
    response: {
      objectID: 'G3041204',
      name: 'Канильо',
      type: 'village',
      label: 'Канильо, Андорра',
      country: 'Андорра',
      country_code: 'ad',
      administrative: ['Канильо'],
      county: [],
      population: 3292,
      importance: 0.5002,
      timezone: 'Europe/Andorra',
      _geoloc: { lat: 42.5676, lng: 1.59756 },
      bbox: [1.58515, 42.55846, 1.60997, 42.57674],
      names: {
        und: ['Canillo', "Kanil'o"],
        ru: ['Канильо'],
        ja: ['カニーリョ教区'],
        zh: ['卡尼略'],
      },
    },
  },
  reverse: {
    summary: 'The place nearest to a point',
    request: { aroundLatLng: '48.8584,2.2945', hitsPerPage: 1 },
    response: {
      hits: [
        {
          objectID: 'C249397902975569',
          name: 'Paris 16 Passy',
          type: 'suburban area',
          label: 'Paris 16 Passy, Paris, France',
          country: 'France',
          country_code: 'fr',
          administrative: ['Île-de-France'],
          county: ['Paris'],
          importance: 0.2736,
          timezone: 'Europe/Paris',
          _geoloc: { lat: 48.8637, lng: 2.2769 },
          bbox: [2.27006, 48.8592, 2.28374, 48.8682],
          distance: 1416,
          bearing: 294.6,
          _highlightResult: { name: { value: 'Paris 16 Passy', matchLevel: 'none', matchedWords: [] } },
        },
      ],
      nbHits: 229_771,
      hitsPerPage: 1,
      query: '',
      params: 'aroundLatLng=48.8584%2C2.2945&hitsPerPage=1',
      processingTimeMS: 0.012,
      aroundLatLng: '48.8584,2.2945',
      dataset: DATASET,
    },
  },
};

const REQUEST_ID = '7b0c4a52-0f0c-4f5e-9a51-8f3f0a4b6e11';

/** Messages that name what was got, where they say more than those of the table ERRORS. */
const ERROR_MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_option: 'aroundLatLng: latitude must be between -90 and 90, got "91,0"',
  missing_option: 'objectID is required, for example objectID=G2988507',
  unknown_option: '"page" is not an option here; the options are objectID, language',
  duplicate_option: 'query was given twice; give it once, in the body or in the URL',
  invalid_body: 'the JSON body must be an object of options such as {"query": "paris"}, got an array',
  rate_limited: 'more than 60 calls in 60 seconds; try again in 7 s',
  quota_exceeded: "the key's daily quota of 1000 calls is used up; the day ends at midnight UTC, in 3600 s",
  not_ready: 'the service is shutting down',
};

/** One example for each error code of a status, by code. */
export function errorExamples(status: number, accept: string): Record<string, object> {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].status === status);
  return Object.fromEntries(
    codes.map((code) => {
      const message = ERROR_MESSAGES[code] ?? ERRORS[code].message;
      const { body } = errorResponse(new RequestError(code, message), REQUEST_ID, accept);
      return [code, { summary: `${STATUS_CODES[status]}: ${code}`, value: JSON.parse(body) }];
    }),
  );
}
