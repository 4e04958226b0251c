/** Draws the figures as SVG bars: one panel per table, one bar per peer. */

export interface Panel {
  readonly title: string;
  /** `log`: bars from p50 to p99 on a logarithmic scale. `linear`: bars from zero. */
  readonly scale: 'log' | 'linear';
  readonly format: (value: number) => string;
  readonly bars: readonly Bar[];
}

export interface Bar {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  /** Text to the right of the bar. */
  readonly note: string;
  readonly isOurs: boolean;
}

const WIDTH = 860;
const LABEL_WIDTH = 190;
const NOTE_WIDTH = 230;
const PLOT_WIDTH = WIDTH - LABEL_WIDTH - NOTE_WIDTH;
const LINE = 20;
const PANEL_HEAD = 46;
const PANEL_GAP = 18;
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600; font-size: 13px }
  .tick { font-size: 10px; fill: #6e7781 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .ours { fill: #0969da }
  .peer { fill: #8c959f }
  .paper { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .tick { fill: #8d96a0 } .grid { stroke: #30363d } .ours { fill: #4493f8 } .paper { fill: #0d1117 }
  }`;

export function drawChart(title: string, panels: readonly Panel[]): string {
  const parts: string[] = [];
  let top = 40;
  for (const panel of panels) {
    parts.push(drawPanel(panel, top));
    top += PANEL_HEAD + panel.bars.length * LINE + PANEL_GAP;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${top}" viewBox="0 0 ${WIDTH} ${top}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="paper" width="${WIDTH}" height="${top}"/>`,
    `<text class="title" x="12" y="24">${escapeXml(title)}</text>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function drawPanel({ title, scale, format, bars }: Panel, top: number): string {
  const axis = scale === 'log' ? logAxis(bars) : linearAxis(bars);
  const first = top + PANEL_HEAD;
  const bottom = first + bars.length * LINE;
  const ticks = axis.ticks.map((value) => {
    const x = LABEL_WIDTH + axis.position(value);
    return (
      `<line class="grid" x1="${round(x)}" x2="${round(x)}" y1="${first - 4}" y2="${bottom}"/>` +
      `<text class="tick" x="${round(x)}" y="${first - 8}" text-anchor="middle">${escapeXml(format(value))}</text>`
    );
  });
  const drawn = bars.map((bar, i) => {
    const middle = first + i * LINE + LINE / 2;
    const start = LABEL_WIDTH + axis.position(bar.from);
    const end = LABEL_WIDTH + axis.position(bar.to);
    return (
      `<text x="${LABEL_WIDTH - 8}" y="${middle + 4}" text-anchor="end">${escapeXml(bar.label)}</text>` +
      `<rect class="${bar.isOurs ? 'ours' : 'peer'}" x="${round(start)}" y="${middle - 5}" ` +
      `width="${round(Math.max(3, end - start))}" height="10" rx="2"/>` +
      `<text class="tick" x="${WIDTH - NOTE_WIDTH + 10}" y="${middle + 4}">${escapeXml(bar.note)}</text>`
    );
  });
  return [`<text class="title" x="12" y="${top + 16}">${escapeXml(title)}</text>`, ...ticks, ...drawn].join('\n');
}

interface Axis {
  readonly ticks: readonly number[];
  /** Pixels from the left edge of the plot. */
  position(value: number): number;
}

function logAxis(bars: readonly Bar[]): Axis {
  const low = Math.floor(Math.log10(Math.min(...bars.map(({ from }) => from))));
  const high = Math.ceil(Math.log10(Math.max(...bars.map(({ to }) => to)) * 1.0001));
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return { ticks, position: (value) => ((Math.log10(value) - low) / (high - low)) * PLOT_WIDTH };
}

function linearAxis(bars: readonly Bar[]): Axis {
  const max = Math.max(...bars.map(({ to }) => to));
  const power = 10 ** Math.floor(Math.log10(max));
  const step = [power / 5, power / 2, power, power * 2].find((each) => max / each <= 6) ?? power * 5;
  const count = Math.ceil(max / step);
  const ticks = Array.from({ length: count + 1 }, (_, i) => i * step);
  return { ticks, position: (value) => (value / (count * step)) * PLOT_WIDTH };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
