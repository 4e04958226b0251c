/** Responses of the API as text for a terminal. */

import { HTML_ENTITIES } from 'toponym-server/http/response/json-writer';
import type { FullRecord, Hit, Hits } from '../../../../client/src/client.ts';
import { type Fact, formatCount, formatFacts } from './facts.ts';
import { joinLines, joinText, printable, type StyledText, styled, type Text } from './styled-text.ts';
import { textTable } from './text-table.ts';
import { terminalWidth, wrapWords } from './text-width.ts';

const FACT_NAME_WIDTH = 12;

const CHARACTER_BY_ENTITY = new Map(Array.from(HTML_ENTITIES, ([character, entity]) => [entity, character]));

export function formatHits(response: object): StyledText {
  const { hits, message, degradedQuery } = response as Hits;
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
  return joinLines([...notes, table, '', styled('faint', formatTotal(response as Hits))]);
}

/** Such as `10 of 58` or `20 of about 1,200`. */
export function formatTotal({ hits, nbHits, exhaustiveNbHits }: Hits): string {
  return `${hits.length} of ${exhaustiveNbHits === false ? 'about ' : ''}${formatCount(nbHits)}`;
}

export function formatRecord(response: object): StyledText {
  const record = response as FullRecord;
  const facts: Fact[] = [
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
  return joinLines(formatFacts(facts, { nameWidth: FACT_NAME_WIDTH }));
}

function markLabel(shown: string, { _highlightResult }: Hit): Text {
  return _highlightResult === undefined ? shown : markMatches(shown, _highlightResult.name.value);
}

/** Marks in a label what `html`, a highlighted name, has in `<em>`. They start with the same text, unless shortened. */
export function markMatches(shown: string, html: string): StyledText {
  const parts = [];
  let rest = shown;
  for (const [i, escaped] of html.split(/<\/?em>/).entries()) {
    const isMatch = i % 2 === 1;
    const part = printable(unescapeHtml(escaped));
    const text = commonStart(rest, part);
    parts.push(isMatch ? styled('match', text) : text);
    rest = rest.slice(text.length);
    if (text !== part) break; // shortened here
  }
  return joinText([...parts, rest]);
}

function unescapeHtml(html: string): string {
  return html.replaceAll(/&#?\w+;/g, (entity) => CHARACTER_BY_ENTITY.get(entity) ?? entity);
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

function formatPoint({ _geoloc: { lat, lng } }: Pick<Hit, '_geoloc'>): string {
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
