/**
 * The style sheet of a map, with the colours of the page at `/`. Every rule is limited to maps, so
 * that an SVG in a web page changes nothing around it. It uses no CSS variables, which viewers
 * other than browsers do not know.
 */
interface Palette {
  readonly paper: string;
  readonly sea: string;
  readonly land: string;
  readonly border: string;
  readonly graticule: string;
  readonly frame: string;
  readonly ink: string;
  readonly muted: string;
  readonly accent: string;
  readonly onAccent: string;
  readonly point: string;
}

const LIGHT: Palette = {
  paper: '#fcfcfa',
  sea: '#d6e5ed',
  land: '#f8f6ef',
  border: '#c6c3b4',
  graticule: '#c5d8e2',
  frame: '#b4c6cf',
  ink: '#1b1d1a',
  muted: '#5d6159',
  accent: '#0b6b5d',
  onAccent: '#ffffff',
  point: '#b3470b',
};

const DARK: Palette = {
  paper: '#141614',
  sea: '#17222a',
  land: '#343a35',
  border: '#5d665f',
  graticule: '#22313a',
  frame: '#35454e',
  ink: '#e9ebe6',
  muted: '#a3aaa2',
  accent: '#6fd0be',
  onAccent: '#0c1a17',
  point: '#f2a45f',
};

const LAYOUT_RULES: readonly (readonly [string, string])[] = [
  ['text', 'font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif'],
  ['.title', 'font-size:20px;font-weight:600'],
  ['.label', 'font-size:13px;font-weight:500;paint-order:stroke;stroke-width:3px;stroke-linejoin:round'],
  ['.name', 'font-size:14px'],
  ['.fact', 'font-size:12px'],
  ['.small', 'font-size:11px'],
  ['.number', 'font-size:11px;font-weight:600;text-anchor:middle'],
  ['.land', 'stroke-width:.6;stroke-linejoin:round'],
  ['.border,.toponym-map .river,.toponym-map .graticule', 'fill:none;stroke-width:.7;stroke-linejoin:round'],
  ['.outline', 'fill:none;stroke-width:1'],
  ['.leader', 'fill:none;stroke-width:1'],
  ['.marker circle', 'stroke-width:1.5'],
  ['.point', 'fill:none;stroke-width:2'],
];

export function mapStyle(): string {
  const light = [...LAYOUT_RULES, ...colorRules(LIGHT)].map(rule).join('\n');
  const dark = colorRules(DARK).map(rule).join('\n');
  return `${light}\n@media (prefers-color-scheme: dark) {\n${dark}\n}`;
}

function rule([selector, declarations]: readonly [string, string]): string {
  return `.toponym-map ${selector}{${declarations}}`;
}

function colorRules(color: Palette): [string, string][] {
  return [
    ['.paper', `fill:${color.paper}`],
    ['.sea', `fill:${color.sea}`],
    ['.lake', `fill:${color.sea}`],
    ['.land', `fill:${color.land};stroke:${color.land}`],
    ['.border', `stroke:${color.border}`],
    ['.river', `stroke:${color.graticule}`],
    ['.graticule', `stroke:${color.graticule}`],
    ['.outline', `stroke:${color.frame}`],
    ['.title,.toponym-map .name', `fill:${color.ink}`],
    ['.fact,.toponym-map .small', `fill:${color.muted}`],
    ['.label', `fill:${color.ink};stroke:${color.paper}`],
    ['.leader', `stroke:${color.accent}`],
    ['.dot', `fill:${color.accent}`],
    ['.marker circle', `fill:${color.paper};stroke:${color.accent}`],
    ['.marker .number', `fill:${color.accent}`],
    ['.first circle', `fill:${color.accent};stroke:${color.paper}`],
    ['.first .number', `fill:${color.onAccent}`],
    ['.point', `stroke:${color.point}`],
    ['.halo', `fill:${color.paper};stroke:${color.paper};stroke-width:6`],
    ['.where', `fill:${color.accent}`],
    ['.bar', `stroke:${color.muted};fill:none`],
  ];
}
