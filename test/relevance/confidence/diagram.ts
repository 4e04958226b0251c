/** Draws a reliability diagram: for each range of confidence, the share of hits that are right. */
import type { Bin } from './reliability.ts';

const SIZE = 360;
const MARGIN = { left: 64, top: 52, right: 24, bottom: 58 };
const WIDTH = MARGIN.left + SIZE + MARGIN.right;
const HEIGHT = MARGIN.top + SIZE + MARGIN.bottom;
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];
/** Bars with fewer claims are drawn pale. */
const FEW_CLAIMS = 30;
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600; font-size: 13px }
  .tick { font-size: 10px; fill: #6e7781 }
  .count { font-size: 9px; fill: #6e7781 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .ideal { stroke: #6e7781; stroke-width: 1.5; stroke-dasharray: 5 4 }
  .bar { fill: #0969da }
  .few { fill: #0969da; opacity: 0.4 }
  .paper { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .tick, .count { fill: #8d96a0 } .grid { stroke: #30363d }
    .bar, .few { fill: #4493f8 } .paper { fill: #0d1117 }
  }`;

/** `title` and `subtitle` must be plain text without markup. */
export function reliabilityDiagram(
  bins: readonly Bin[],
  { title, subtitle }: { title: string; subtitle: string },
): string {
  const bottom = MARGIN.top + SIZE;
  const middle = MARGIN.left + SIZE / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">`,
    `<title>${title}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>`,
    `<text class="title" x="${MARGIN.left}" y="20">${title}</text>`,
    `<text class="tick" x="${MARGIN.left}" y="36">${subtitle}</text>`,
    ...TICKS.map(drawTick),
    ...bins.map(drawBar),
    `<line class="ideal" x1="${MARGIN.left}" y1="${bottom}" x2="${MARGIN.left + SIZE}" y2="${MARGIN.top}"/>`,
    `<text x="${middle}" y="${HEIGHT - 12}" text-anchor="middle">confidence of the first hit</text>`,
    `<text x="16" y="${MARGIN.top + SIZE / 2}" text-anchor="middle" transform="rotate(-90 16 ${MARGIN.top + SIZE / 2})">share of hits that are right</text>`,
    '</svg>\n',
  ].join('\n');
}

function drawTick(value: number): string {
  const x = xOf(value);
  const y = yOf(value);
  const label = `${Math.round(100 * value)}%`;
  return [
    `<line class="grid" x1="${MARGIN.left}" x2="${MARGIN.left + SIZE}" y1="${y}" y2="${y}"/>`,
    `<text class="tick" x="${MARGIN.left - 8}" y="${y + 4}" text-anchor="end">${label}</text>`,
    `<text class="tick" x="${x}" y="${MARGIN.top + SIZE + 16}" text-anchor="middle">${value}</text>`,
  ].join('');
}

function drawBar({ from, to, count, right }: Bin): string {
  const x = xOf(from) + 3;
  const y = yOf(right);
  const width = xOf(to) - xOf(from) - 6;
  const kind = count < FEW_CLAIMS ? 'few' : 'bar';
  return [
    `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${MARGIN.top + SIZE - y}" rx="2"/>`,
    `<text class="count" x="${x + width / 2}" y="${y - 4}" text-anchor="middle">${count}</text>`,
  ].join('');
}

function xOf(value: number): number {
  return Math.round((MARGIN.left + value * SIZE) * 10) / 10;
}

function yOf(value: number): number {
  return Math.round((MARGIN.top + (1 - value) * SIZE) * 10) / 10;
}
