/** The legend of a map: the hits in their order, and whom the data comes from. */
import type { Hit, Hits } from '../../client/client.ts';
import { formatCount } from '../print/facts.ts';
import type { MapView } from './map-view.ts';
import { MARKER_RADIUS } from './marker-layout.ts';
import { escapeXml, shortenText, wrapText } from './svg-text.ts';

export interface LegendPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

const ROW_HEIGHT = 42;
const LINE_HEIGHT = 16;
const COLUMN_GAP = 32;
const MAX_ROWS_IN_ONE_COLUMN = 4;
/** Natural Earth is in the public domain, but a reader may want to know. */
const LAND_SOURCE = 'Land, borders and waters: Natural Earth, public domain.';

export function legend(
  response: Hits,
  { kind }: Pick<MapView, 'kind'>,
  place: LegendPlace,
): { readonly svg: string; readonly bottom: number } {
  const { hits, aroundLatLng, dataset } = response;
  const { left, top, width } = place;
  const columns = hits.length > MAX_ROWS_IN_ONE_COLUMN ? 2 : 1;
  const rows = Math.ceil(hits.length / columns);
  const columnWidth = (width - COLUMN_GAP * (columns - 1)) / columns;
  const entries = hits.map((hit, i) => {
    const x = left + Math.floor(i / rows) * (columnWidth + COLUMN_GAP);
    return entry(hit, { rank: i + 1, x, y: top + (i % rows) * ROW_HEIGHT, width: columnWidth });
  });
  const listBottom = top + rows * ROW_HEIGHT;
  const notes = [
    aroundLatLng === undefined ? undefined : `The cross is the point of the search: ${aroundLatLng}.`,
    kind === 'detail'
      ? 'The large map is too close for coasts and borders, which would be wrong by kilometres.'
      : undefined,
    `Places: ${dataset.attribution.join('; ')}.`,
    LAND_SOURCE,
  ].filter((note) => note !== undefined);
  const lines = notes.flatMap((note) => wrapText(note, 11, width));
  const texts = lines.map(
    (line, i) => `<text class="small" x="${left}" y="${listBottom + 8 + i * LINE_HEIGHT}">${escapeXml(line)}</text>`,
  );
  return { svg: [...entries, ...texts].join('\n'), bottom: listBottom + lines.length * LINE_HEIGHT };
}

interface EntryPlace {
  readonly rank: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function entry(hit: Hit, { rank, x, y, width }: EntryPlace): string {
  const textX = x + 2 * MARKER_RADIUS + 12;
  const textWidth = width - 2 * MARKER_RADIUS - 12;
  return [
    `<g class="entry"><title>${escapeXml(hit.label)}</title>`,
    `<g class="marker${rank === 1 ? ' first' : ''}"><circle cx="${x + MARKER_RADIUS}" cy="${y + 9}" r="${MARKER_RADIUS - 0.75}"/>`,
    `<text class="number" x="${x + MARKER_RADIUS}" y="${y + 13}">${rank}</text></g>`,
    `<text class="name" x="${textX}" y="${y + 6}">${escapeXml(shortenText(hit.label, 14, textWidth))}</text>`,
    `<text class="fact" x="${textX}" y="${y + 23}">${escapeXml(shortenText(factsOf(hit), 12, textWidth))}</text></g>`,
  ].join('');
}

function factsOf({ type, population, distance, _geoloc: { lat, lng } }: Hit): string {
  const facts = [
    type,
    population === undefined ? undefined : `${formatCount(population)} people`,
    distance === undefined ? undefined : distanceText(distance),
    `${lat}, ${lng}`,
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

function distanceText(meters: number): string {
  return meters < 10_000 ? `${formatCount(meters)} m away` : `${formatCount(Math.round(meters / 1000))} km away`;
}
