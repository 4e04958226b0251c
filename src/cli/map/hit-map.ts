/** Draws the hits of a response on a map, as an SVG document with a legend. */

import type { Hit, Hits } from '../../client/client.ts';
import { escapeHtml } from '../../http/response/json-writer.ts';
import { formatCount } from '../print/facts.ts';
import { formatTotal } from '../print/place-text.ts';
import { displayWidth, fillLines, graphemesOf, shorten } from '../print/text-width.ts';
import { baseMap, outlinePath, type WorldShapes } from './base-map.ts';
import { chooseView, type MapView, type PlanePoint, type Position, regionView, worldView } from './map-view.ts';
import { layOutMarkers, MARKER_RADIUS, type Marker, overlap, type Rectangle } from './marker-layout.ts';

const WIDTH = 960;
const MARGIN = 24;
const MAP_TOP = 78;
const MAP_SIZE = { width: WIDTH - 2 * MARGIN, height: 520 };
const LABEL_SIZE = 13;
const MAX_LABEL_WIDTH = 200;
const INSET = { width: 168, height: 84 };
/** Half the height of the map around a detail, in degrees. */
const INSET_REACH = 4;
const INSET_GAP = 12;
const SCALE_BAR_MAX = 120;

/** `world` is undefined if there is no data of land; the map then shows the graticule alone. */
export function hitMap(response: Hits, world: WorldShapes | undefined): string {
  const around = parsePoint(response.aroundLatLng);
  const positions = response.hits.map(positionOf);
  const view = chooseView(around === undefined ? positions : [...positions, around], MAP_SIZE);
  const key = legend(response, view);
  const height = key.bottom + 20;
  const title = titleOf(response);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="toponym-map" role="img" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">`,
    `<title>${escapeXml(`Map of ${title}`)}</title>`,
    `<desc>${escapeXml(descriptionOf(response))}</desc>`,
    `<style>\n${mapStyle()}\n</style>`,
    `<clipPath id="toponym-frame"><path d="${outlinePath(view)}"/></clipPath>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    `<text class="title" x="${MARGIN}" y="40">${escapeXml(shortenText(title, 20, MAP_SIZE.width))}</text>`,
    `<text class="fact" x="${MARGIN}" y="61">${escapeXml(countOf(response))}</text>`,
    `<g transform="translate(${MARGIN} ${MAP_TOP})">`,
    `<g clip-path="url(#toponym-frame)">${baseMap(view, world)}</g>`,
    `<path class="outline" d="${outlinePath(view)}"/>`,
    ...overlays(response.hits, view, { world, around }),
    '</g>',
    key.svg,
    '</svg>',
    '',
  ].join('\n');
}

/** What lies over the map: inset, scale, the point and the markers. */
function overlays(
  hits: readonly Hit[],
  view: MapView,
  { world, around }: { readonly world: WorldShapes | undefined; readonly around: Position | undefined },
): string[] {
  const points = hits.map((hit) => view.toPixel(positionOf(hit)));
  const point = around && view.toPixel(around);
  const inset = view.kind === 'world' ? undefined : freeCorner(view, point ? [...points, point] : points);
  const scale = view.kilometersPerPixel === undefined ? undefined : scaleBar(view, inset);
  const names = shortNames(hits).map((name) => shortenText(name, LABEL_SIZE, MAX_LABEL_WIDTH));
  const inputs = points.map((each, i) => ({ point: each, labelWidth: textWidth(names[i] ?? '', LABEL_SIZE) }));
  const reserved = [inset, scale?.box, point && pointBox(point)].filter((box) => box !== undefined);
  const markers = layOutMarkers(inputs, view, reserved);
  return [
    inset && insetMap(inset, view, world),
    scale?.svg,
    point && pointMark(point),
    ...markers.map(leader),
    // the best hit is drawn last, so that it is never covered
    ...markers.map((marker, i) => markerElement(marker, { hit: hits[i], rank: i + 1, name: names[i] ?? '' })).reverse(),
  ].filter((part) => part !== undefined);
}

function leader({ point, center }: Marker): string | undefined {
  if (point === center) return undefined;
  const [x1, y1] = point.map(rounded);
  const [x2, y2] = center.map(rounded);
  return `<path class="leader" d="M${x1} ${y1}L${x2} ${y2}"/><circle class="dot" cx="${x1}" cy="${y1}" r="3"/>`;
}

function markerElement(
  { point, center, label }: Marker,
  { hit, rank, name }: { hit: Hit | undefined; rank: number; name: string },
): string {
  const [x, y] = center.map(rounded);
  const place = `data-x="${rounded(point[0])}" data-y="${rounded(point[1])}"`;
  const text =
    label === undefined
      ? ''
      : `<text class="label" text-anchor="${label.anchor}" x="${rounded(label.at[0])}" y="${rounded(label.at[1] + 4.5)}">${escapeXml(name)}</text>`;
  return [
    `<g class="marker${rank === 1 ? ' first' : ''}" ${place}>`,
    `<title>${escapeXml(`${rank}. ${hit?.label ?? ''}`)}</title>`,
    `<circle cx="${x}" cy="${y}" r="${MARKER_RADIUS - 0.75}"/>`,
    `<text class="number" x="${x}" y="${rounded(center[1] + 4)}">${rank}</text>${text}</g>`,
  ].join('');
}

function pointMark([x, y]: PlanePoint): string {
  const [cx, cy] = [rounded(x), rounded(y)];
  const cross = `M${cx} ${rounded(y - 12)}v7M${cx} ${rounded(y + 5)}v7M${rounded(x - 12)} ${cy}h7M${rounded(x + 5)} ${cy}h7`;
  return `<g class="point"><title>The point of the search</title><circle cx="${cx}" cy="${cy}" r="5"/><path d="${cross}"/></g>`;
}

function pointBox([x, y]: PlanePoint): Rectangle {
  return { x: x - 13, y: y - 13, width: 26, height: 26 };
}

/** A corner of the map without points, for the inset. */
function freeCorner({ width, height }: MapView, points: readonly PlanePoint[]): Rectangle | undefined {
  const [right, bottom] = [width - INSET.width - INSET_GAP, height - INSET.height - INSET_GAP];
  const corners = [
    { x: right, y: bottom },
    { x: INSET_GAP, y: bottom },
    { x: right, y: INSET_GAP },
    { x: INSET_GAP, y: INSET_GAP },
  ].map((corner) => ({ ...corner, ...INSET }));
  return corners.find((corner) =>
    points.every(([x, y]) => !overlap(corner, { x: x - 20, y: y - 20, width: 40, height: 40 })),
  );
}

/** Where the map is: in the world, or for a close map in its surroundings. */
function insetMap({ x, y }: Rectangle, view: MapView, world: WorldShapes | undefined): string {
  const { center } = view;
  const small = view.kind === 'detail' ? regionView(center, INSET_REACH, INSET) : worldView(INSET.width);
  const [cx, cy] = small.toPixel(center).map(rounded);
  return [
    `<g class="inset" transform="translate(${rounded(x)} ${rounded(y)})">`,
    `<clipPath id="toponym-inset"><path d="${outlinePath(small)}"/></clipPath>`,
    `<path class="halo" d="${outlinePath(small)}"/><g clip-path="url(#toponym-inset)">${baseMap(small, world, { isSmall: true })}</g>`,
    `<path class="outline" d="${outlinePath(small)}"/><circle class="where" cx="${cx}" cy="${cy}" r="3.5"/></g>`,
  ].join('');
}

/** In the lower left corner, or in the lower right one beside an inset. */
function scaleBar(view: MapView, inset: Rectangle | undefined): { readonly svg: string; readonly box: Rectangle } {
  const kilometersPerPixel = view.kilometersPerPixel ?? 1;
  const kilometers = roundNumberUpTo(SCALE_BAR_MAX * kilometersPerPixel);
  const length = rounded(kilometers / kilometersPerPixel);
  const isLeftTaken = inset !== undefined && inset.x < view.width / 2 && inset.y > view.height / 2;
  const x = isLeftTaken ? rounded(view.width - length - 14) : 14;
  const y = view.height - 14;
  const text = kilometers < 1 ? `${kilometers * 1000} m` : `${formatCount(kilometers)} km`;
  return {
    svg: `<path class="bar" d="M${x} ${y - 5}v5h${length}v-5"/><text class="small" x="${x + 5}" y="${y - 6}">${text}</text>`,
    box: { x, y: y - 20, width: length, height: 22 },
  };
}

/** 1, 2 or 5 times a power of 10. */
function roundNumberUpTo(max: number): number {
  const power = 10 ** Math.floor(Math.log10(max));
  return ([5, 2].find((digit) => digit * power <= max) ?? 1) * power;
}

function titleOf({ query, aroundLatLng }: Hits): string {
  if (query.trim() !== '') return `“${query}”`;
  return aroundLatLng === undefined ? 'The most important places' : `Places near ${aroundLatLng}`;
}

function countOf(response: Hits): string {
  const { hits, nbHits } = response;
  if (hits.length === 0) return 'No places found';
  if (nbHits === 1) return '1 place';
  const order = hits.some(({ confidence }) => confidence !== undefined) ? 'best first' : 'nearest first';
  return `${formatTotal(response)} places, ${order}`;
}

function descriptionOf({ hits }: Hits): string {
  return hits.map(({ label, _geoloc: { lat, lng } }, i) => `${i + 1}. ${label} (${lat}, ${lng})`).join('; ');
}

function parsePoint(text: string | undefined): Position | undefined {
  const [lat, lng] = text?.split(',').map(Number) ?? [];
  return lat === undefined || lng === undefined ? undefined : [lng, lat];
}

function positionOf({ _geoloc: { lat, lng } }: Hit): Position {
  return [lng, lat];
}

function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

/** The name, or as many parts of the label as make it unique among the hits. */
function shortNames(hits: readonly Hit[]): string[] {
  const parts = hits.map(({ label }) => label.split(', '));
  return hits.map(({ name, label }, i) => {
    if (hits.filter((other) => other.name === name).length === 1) return name;
    const own = parts[i] ?? [];
    const isUnique = (length: number) =>
      parts.every((other, j) => j === i || startOf(other, length) !== startOf(own, length));
    const lengths = own.map((_, j) => j + 1);
    return startOf(own, lengths.find(isUnique) ?? own.length) || label;
  });
}

function startOf(parts: readonly string[], length: number): string {
  return parts.slice(0, length).join(', ');
}

const ROW_HEIGHT = 42;
const LINE_HEIGHT = 16;
const COLUMN_GAP = 32;
const MAX_ROWS_IN_ONE_COLUMN = 4;
/** Natural Earth is in the public domain, but a reader may want to know. */
const LAND_SOURCE = 'Land, borders and waters: Natural Earth, public domain.';

/** The hits in their order, and whom the data comes from. */
function legend({ hits, aroundLatLng, dataset }: Hits, { kind, height }: MapView): { svg: string; bottom: number } {
  const [left, top, { width }] = [MARGIN, MAP_TOP + height + 28, MAP_SIZE];
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
  const lines = notes.flatMap((note) =>
    fillLines(note.split(' '), ' ', width, (text) => textWidth(text, 11)).map(String),
  );
  const texts = lines.map(
    (line, i) => `<text class="small" x="${left}" y="${listBottom + 8 + i * LINE_HEIGHT}">${escapeXml(line)}</text>`,
  );
  return { svg: [...entries, ...texts].join('\n'), bottom: listBottom + lines.length * LINE_HEIGHT };
}

function entry(hit: Hit, { rank, x, y, width }: Record<'rank' | 'x' | 'y' | 'width', number>): string {
  const textX = x + 2 * MARKER_RADIUS + 12;
  const maxWidth = width - 2 * MARKER_RADIUS - 12;
  return [
    `<g class="entry"><title>${escapeXml(hit.label)}</title>`,
    `<g class="marker${rank === 1 ? ' first' : ''}"><circle cx="${x + MARKER_RADIUS}" cy="${y + 9}" r="${MARKER_RADIUS - 0.75}"/>`,
    `<text class="number" x="${x + MARKER_RADIUS}" y="${y + 13}">${rank}</text></g>`,
    `<text class="name" x="${textX}" y="${y + 6}">${escapeXml(shortenText(hit.label, 14, maxWidth))}</text>`,
    `<text class="fact" x="${textX}" y="${y + 23}">${escapeXml(shortenText(factsOf(hit), 12, maxWidth))}</text></g>`,
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

/** Characters that XML 1.0 forbids, and control characters, which nobody can see. */
const FORBIDDEN = /[^\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** For the content of elements and for attributes in quotes. */
function escapeXml(text: string): string {
  return escapeHtml(text.replace(FORBIDDEN, '\ufffd'));
}

/** Estimated width in pixels; rather too large, because fonts differ. */
function textWidth(text: string, fontSize: number): number {
  return graphemesOf(text).reduce((ems, grapheme) => ems + widthInEms(grapheme), 0) * fontSize;
}

function widthInEms(grapheme: string): number {
  if (displayWidth(grapheme) === 2) return 1;
  if (/^[ ·,.]/.test(grapheme)) return 0.34;
  if (/^[iljtfrI.,:;'’!|() -]/.test(grapheme)) return 0.39;
  return /^[mwMW\p{Lu}]/u.test(grapheme) ? 0.78 : 0.62;
}

function shortenText(text: string, fontSize: number, maxWidth: number): string {
  return shorten(text, maxWidth, (part) => textWidth(part, fontSize));
}

/** The colours of the page at `/`: light and dark. */
const COLORS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  paper: ['#fcfcfa', '#141614'],
  sea: ['#d6e5ed', '#17222a'],
  land: ['#f8f6ef', '#343a35'],
  border: ['#c6c3b4', '#5d665f'],
  graticule: ['#c5d8e2', '#22313a'],
  frame: ['#b4c6cf', '#35454e'],
  ink: ['#1b1d1a', '#e9ebe6'],
  muted: ['#5d6159', '#a3aaa2'],
  accent: ['#0b6b5d', '#6fd0be'],
  onAccent: ['#ffffff', '#0c1a17'],
  point: ['#b3470b', '#f2a45f'],
};

const LAYOUT = `
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
.title{font-size:20px;font-weight:600}
.label{font-size:13px;font-weight:500;paint-order:stroke;stroke-width:3px;stroke-linejoin:round}
.name{font-size:14px}
.fact{font-size:12px}
.small{font-size:11px}
.number{font-size:11px;font-weight:600;text-anchor:middle}
.land{stroke-width:.6;stroke-linejoin:round}
.border,.river,.graticule{fill:none;stroke-width:.7;stroke-linejoin:round}
.outline,.leader{fill:none;stroke-width:1}
.marker circle{stroke-width:1.5}
.point{fill:none;stroke-width:2}`;

/** `$ink` is a colour. */
const COLOR_RULES = `
.paper{fill:$paper}
.sea,.lake{fill:$sea}
.land{fill:$land;stroke:$land}
.border{stroke:$border}
.river,.graticule{stroke:$graticule}
.outline{stroke:$frame}
.title,.name{fill:$ink}
.fact,.small{fill:$muted}
.label{fill:$ink;stroke:$paper}
.leader{stroke:$accent}
.dot,.where{fill:$accent}
.marker circle{fill:$paper;stroke:$accent}
.marker .number{fill:$accent}
.first circle{fill:$accent;stroke:$paper}
.first .number{fill:$onAccent}
.point{stroke:$point}
.halo{fill:$paper;stroke:$paper;stroke-width:6}
.bar{stroke:$muted;fill:none}`;

/** Rules for maps only, because the SVG may be in a web page. Only browsers know CSS variables. */
function mapStyle(): string {
  const colored = (scheme: 0 | 1) => COLOR_RULES.replaceAll(/\$(\w+)/g, (_, name) => COLORS[name]![scheme]);
  const light = onlyInMaps(LAYOUT + colored(0));
  return `${light}\n@media (prefers-color-scheme: dark) {\n${onlyInMaps(colored(1))}\n}`;
}

/** Adds the class of maps to every selector. The rules have a line each. */
function onlyInMaps(rules: string): string {
  const limited = (selectors: string) => `.toponym-map ${selectors.replaceAll(',', ',.toponym-map ')}`;
  return rules.trim().replaceAll(/^[^{]+/gm, limited);
}
