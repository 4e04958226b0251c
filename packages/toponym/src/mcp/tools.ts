/**
 * The tools of `toponym mcp`: what an agent may ask, and answers that say how sure they are. They call the API's
 * own endpoints. The SDK turns a thrown error into an error of the tool.
 */
import { McpServer } from '@modelcontextprotocol/server';
import { type EndpointName, REVERSE_MODES } from 'toponym-engine/options';
import { PLACE_TYPES } from 'toponym-engine/place/place';
import { VERSION } from 'toponym-files/program';
import { z } from 'zod';
import type { FullRecord, Hit, Hits, PlaceRecord } from '../../../client/src/api-types.ts';
import { noteOf, receiptOf, wordNotesOf } from '../../../client/src/explanation.ts';

/** Calls an endpoint of the API. Throws an error whose message is for the agent. */
export type CallEndpoint = (endpoint: EndpointName, options: Options) => Promise<object>;
type Options = Readonly<Record<string, string | undefined>>;

/** From here on, docs/api.md#confidence advises to accept the best hit without a choice. */
const SURE = 0.95;
const MIN_CANDIDATE_CONFIDENCE = 0.01;
const MAX_CANDIDATES = 5;
const MAX_TEXTS = 100;

const INSTRUCTIONS = `Offline gazetteer of cities, towns, villages and suburban areas; no streets, addresses or shops. Put all that is known about a place into the text ("Paris, Texas"). From a confidence of ${SURE} on, use the place. Below, compare the candidates with the context, or ask the user.`;

const lat = z.number().min(-90).max(90);
const lng = z.number().min(-180).max(180);
const language = z.string().optional().describe('BCP 47 tag for names in the answer, such as "fr"');
const text = z
  .string()
  .trim()
  .min(1)
  .max(512)
  .describe('Name of the place, with region or country if known; or coordinates');
const FILTERS = {
  countries: z.array(z.string()).optional().describe('Only these countries: ISO codes such as ["us", "ca"]'),
  types: z.array(z.enum(PLACE_TYPES)).optional().describe('Only these types of places'),
  near: z.object({ lat, lng }).optional().describe('Prefer places near this point'),
  language,
};
const PLACE = {
  id: z.string().describe('For get_place'),
  label: z.string().describe('Name and where it is: "Paris, Texas, United States"'),
  name: z.string(),
  type: z.enum(PLACE_TYPES),
  country: z.string(),
  countryCode: z.string().describe('ISO 3166-1 alpha-2, lower case'),
  regions: z.array(z.string()).describe('Divisions of the country, larger first'),
  lat,
  lng,
  population: z.number().optional(),
  timezone: z.string().optional(),
};
const confidence = z.number().describe('Probability, 0 to 1, that this place is meant');
const FOUND = {
  text: z.string(),
  place: z.object(PLACE).nullable().describe('The best match; null if nothing matches'),
  confidence: confidence.optional(),
  reason: z.string().describe('Why this place comes first, and what was corrected or left out'),
  candidates: z.array(z.object({ ...PLACE, confidence })).describe('If ambiguous: other places, best first'),
};
type Place = z.infer<z.ZodObject<typeof PLACE>>;
type Found = z.infer<z.ZodObject<typeof FOUND>>;

const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

export function createPlaceServer(call: CallEndpoint): McpServer {
  const server = new McpServer({ name: 'toponym', title: 'Toponym', version: VERSION }, { instructions: INSTRUCTIONS });
  /** The types of the tools' arguments and results come from their schemas. */
  function add<Input extends z.ZodRawShape, Output extends z.ZodRawShape>(
    name: string,
    { description, input, output }: { description: string; input: Input; output: Output },
    run: (args: z.infer<z.ZodObject<Input>>) => Promise<[z.infer<z.ZodObject<Output>>, string]>,
  ): void {
    const schemas = { inputSchema: z.strictObject(input), outputSchema: z.object(output) };
    server.registerTool(name, { description, ...schemas, annotations }, async (args) => {
      const [structuredContent, shown] = await run(args as z.infer<z.ZodObject<Input>>);
      return { structuredContent, content: [{ type: 'text', text: shown }] };
    });
  }
  const one = `Finds the settlement that a text means, with coordinates, country, population and time zone. Tolerates typos, and knows names in all languages. If the confidence is below ${SURE}, look at the candidates before you use the place. For several texts, use find_places.`;
  add('find_place', { description: one, input: { text, ...FILTERS }, output: FOUND }, async (args) => {
    const found = await findPlace(call, args);
    return [found, foundText(found)];
  });
  const many = `find_place for up to ${MAX_TEXTS} texts, such as the cells of a column. Results are in the order of the texts.`;
  const texts = z.array(z.string().trim().max(512).describe('As for find_place, or empty')).min(1).max(MAX_TEXTS);
  const results = z.array(z.object(FOUND));
  add('find_places', { description: many, input: { texts, ...FILTERS }, output: { results } }, async (args) => {
    const found: Found[] = [];
    for (const each of args.texts) found.push(await findPlace(call, { ...args, text: each }));
    return [{ results: found }, found.map((each) => `${each.text}: ${foundText(each)}`).join('\n')];
  });
  const nearest =
    'Finds the settlement at coordinates. Mode "containing": first the one that the point most plausibly lies in. Mode "nearest": strictly by distance.';
  const mode = z.enum(REVERSE_MODES).default('containing');
  const limit = z.int().min(1).max(20).default(1).describe('How many places');
  const places = z.array(z.object({ ...PLACE, distanceMeters: z.number(), inside: z.boolean().optional() }));
  const point = { lat, lng, mode, limit, language };
  add('nearest_place', { description: nearest, input: point, output: { places } }, async (args) => {
    const at = { aroundLatLng: `${args.lat},${args.lng}`, hitsPerPage: String(args.limit) };
    const { hits } = (await call('reverse', { ...at, mode: args.mode, language: args.language })) as Hits;
    const found = hits.map((hit) => ({ ...toPlace(hit), distanceMeters: hit.distance ?? 0, inside: hit.inside }));
    const lineOf = (each: (typeof found)[number]) =>
      `${placeText(each)}, ${each.distanceMeters} m away${each.inside === false ? ', outside of it' : ''}`;
    return [{ places: found }, found.map(lineOf).join('\n')];
  });
  const get = 'Gets a place that another tool has found, by its id, with its names in all languages.';
  const names = z.record(z.string(), z.array(z.string())).describe('By language; "und" if it is unknown');
  const id = z.string().min(1).describe('Such as G2988507');
  add('get_place', { description: get, input: { id, language }, output: { ...PLACE, names } }, async (args) => {
    const failed = (error: Error) => Promise.reject(new Error(`${error.message}: ${args.id}`));
    const record = (await call('id', { objectID: args.id, language: args.language }).catch(failed)) as FullRecord;
    const place = { ...toPlace(record), names: record.names as Record<string, string[]> };
    return [place, placeText(place)];
  });
  return server;
}

type FindOptions = z.infer<z.ZodObject<typeof FILTERS & { text: typeof text }>>;

async function findPlace(call: CallEndpoint, { text: query, ...filters }: FindOptions): Promise<Found> {
  const { countries, types, near, language: tag } = filters;
  if (query === '') return { text: query, place: null, reason: 'The text is empty.', candidates: [] };
  const response = (await call('query', {
    query,
    hitsPerPage: String(MAX_CANDIDATES + 1),
    getRankingInfo: 'true',
    countries: countries?.join(','),
    type: types?.join(','),
    aroundLatLng: near && `${near.lat},${near.lng}`,
    language: tag,
  })) as Hits;
  const [best, ...others] = response.hits;
  const candidates = others
    .map((hit) => ({ ...toPlace(hit), confidence: hit.confidence ?? 0 }))
    .filter((each) => each.confidence >= MIN_CANDIDATE_CONFIDENCE);
  return {
    text: query,
    place: best === undefined ? null : toPlace(best),
    confidence: best?.confidence,
    reason: [noteOf(response), ...wordNotesOf(response), reasonOf(best, others)].filter(Boolean).join(' '),
    candidates: (best?.confidence ?? 1) >= SURE ? [] : candidates,
  };
}

function reasonOf(best: Hit | undefined, others: readonly Hit[]): string {
  if (best === undefined) return '';
  if (best._rankingInfo === undefined) return 'The text is a point, and this is the place there.';
  return others.length === 0 ? 'It is the only match.' : (receiptOf(best, others[0])?.reason ?? '');
}

function toPlace(record: PlaceRecord): Place {
  const { objectID, label, name, type, country, country_code: countryCode, population, timezone, _geoloc } = record;
  const regions = [...record.administrative, ...record.county];
  return { id: objectID, label, name, type, country, countryCode, regions, ..._geoloc, population, timezone };
}

function placeText({ id, label, type, lat, lng, population }: Place): string {
  return `${label} (${id}), ${type} at ${lat},${lng}${population === undefined ? '' : `, population ${population}`}`;
}

function foundText({ place, confidence: probability, reason, candidates }: Found): string {
  if (place === null) return `No place found. ${reason}`;
  const others = candidates.map((each) => `${each.label} (${each.id}, ${each.confidence})`).join('; ');
  const sure = probability === undefined ? '' : ` Confidence ${probability}.`;
  return `${placeText(place)}.${sure} ${reason}${others === '' ? '' : ` Or: ${others}.`}`;
}
