/** Responses of the API as text for a terminal. */
import { formatCount, formatFacts } from './facts.ts';
import { terminalWidth, wrapWords } from './fill-lines.ts';
import { markMatches } from './match-marks.ts';
import { printable } from './printable.ts';
import { joinLines, type StyledText, styled, type Text } from './styled-text.ts';
import { textTable } from './text-table.ts';

const FACT_NAME_WIDTH = 12;

/** The fields of a `query` or `reverse` response that are shown. */
interface SearchResponse {
  readonly hits: readonly Hit[];
  readonly nbHits: number;
  readonly exhaustiveNbHits?: boolean;
  readonly message?: string;
  readonly degradedQuery?: { readonly query: string };
}

interface Hit {
  readonly objectID: string;
  readonly label: string;
  readonly type: string;
  readonly population?: number;
  readonly distance?: number;
  readonly confidence?: number;
  readonly matchCode?: string;
  readonly inside?: boolean;
  readonly _geoloc: { readonly lat: number; readonly lng: number };
  readonly _highlightResult?: { readonly name: { readonly value: string } };
}

interface FullRecord extends Hit {
  readonly timezone?: string;
  readonly importance: number;
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly supersededBy?: string;
}

export function formatHits(response: object): StyledText {
  const { hits, nbHits, exhaustiveNbHits, message, degradedQuery } = response as SearchResponse;
  const notes = [message, degradedQuery && `Searched instead for: ${degradedQuery.query}`]
    .filter((text) => text !== undefined)
    .flatMap((text) => wrapWords(printable(text), terminalWidth()));
  if (hits.length === 0) return joinLines([...notes, 'No places found.']);
  const hasDistance = hits.some((hit) => hit.distance !== undefined);
  const hasConfidence = hits.some((hit) => hit.confidence !== undefined);
  const hasInside = hits.some((hit) => hit.inside !== undefined);
  const table = textTable(hits, [
    { title: 'ID', value: (hit) => hit.objectID, leftOutOrder: 7 },
    { title: 'PLACE', value: (hit) => hit.label, isName: true, highlight: markLabel },
    { title: 'TYPE', value: (hit) => hit.type, leftOutOrder: 5 },
    {
      title: 'POPULATION',
      value: (hit) => (hit.population === undefined ? '-' : formatCount(hit.population)),
      align: 'right',
      emptyValue: '-',
      leftOutOrder: 4,
    },
    ...(hasConfidence
      ? [
          { title: 'CONFIDENCE', value: formatConfidence, align: 'right', leftOutOrder: 3 } as const,
          { title: 'MATCH', value: (hit: Hit) => hit.matchCode ?? '-', style: 'faint', leftOutOrder: 2 } as const,
        ]
      : []),
    { title: 'LAT,LNG', value: formatPoint, style: 'faint', leftOutOrder: 1 },
    ...(hasDistance ? [{ title: 'DISTANCE', value: formatDistance, align: 'right' } as const] : []),
    ...(hasInside
      ? [{ title: 'INSIDE', value: ({ inside }: Hit) => (inside === true ? 'yes' : 'no'), leftOutOrder: 6 }]
      : []),
  ]);
  const total = `${exhaustiveNbHits === false ? 'about ' : ''}${formatCount(nbHits)}`;
  return joinLines([...notes, table, '', styled('faint', `${hits.length} of ${total}`)]);
}

export function formatRecord(response: object): StyledText {
  const record = response as FullRecord;
  const facts: [string, string | undefined][] = [
    ['ID', record.objectID],
    ['Note', record.supersededBy && `the requested id was replaced by ${record.supersededBy}`],
    ['Place', record.label],
    ['Type', record.type],
    ['Population', record.population === undefined ? undefined : formatCount(record.population)],
    ['Importance', String(record.importance)],
    ['Time zone', record.timezone],
    ['Lat,lng', formatPoint(record)],
  ];
  for (const [language, names] of Object.entries(record.names)) facts.push([`Names ${language}`, names.join(', ')]);
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
  return joinLines(formatFacts(known, { nameWidth: FACT_NAME_WIDTH }));
}

function markLabel(shown: string, { _highlightResult }: Hit): Text {
  return _highlightResult === undefined ? shown : markMatches(shown, _highlightResult.name.value);
}

function formatPoint({ _geoloc: { lat, lng } }: Hit): string {
  return `${lat},${lng}`;
}

function formatConfidence({ confidence = 0 }: Hit): string {
  return confidence.toFixed(3);
}

function formatDistance({ distance }: Hit): string {
  if (distance === undefined) return '-';
  if (distance < 1000) return `${distance} m`;
  const km = distance / 1000;
  return km < 100 ? `${km.toFixed(1)} km` : `${formatCount(Math.round(km))} km`;
}
