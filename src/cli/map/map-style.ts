/**
 * The style sheet of a map, with the colours of the page at `/`. Every rule is limited to maps, so
 * that an SVG in a web page changes nothing around it. It uses no CSS variables, which viewers
 * other than browsers do not know.
 */
const LIGHT = {
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

const DARK: typeof LIGHT = {
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
.outline{fill:none;stroke-width:1}
.leader{fill:none;stroke-width:1}
.marker circle{stroke-width:1.5}
.point{fill:none;stroke-width:2}`;

export function mapStyle(): string {
  const light = onlyInMaps(LAYOUT + colorRules(LIGHT));
  return `${light}\n@media (prefers-color-scheme: dark) {\n${onlyInMaps(colorRules(DARK))}\n}`;
}

function colorRules(color: typeof LIGHT): string {
  return `
.paper{fill:${color.paper}}
.sea{fill:${color.sea}}
.lake{fill:${color.sea}}
.land{fill:${color.land};stroke:${color.land}}
.border{stroke:${color.border}}
.river{stroke:${color.graticule}}
.graticule{stroke:${color.graticule}}
.outline{stroke:${color.frame}}
.title,.name{fill:${color.ink}}
.fact,.small{fill:${color.muted}}
.label{fill:${color.ink};stroke:${color.paper}}
.leader{stroke:${color.accent}}
.dot{fill:${color.accent}}
.marker circle{fill:${color.paper};stroke:${color.accent}}
.marker .number{fill:${color.accent}}
.first circle{fill:${color.accent};stroke:${color.paper}}
.first .number{fill:${color.onAccent}}
.point{stroke:${color.point}}
.halo{fill:${color.paper};stroke:${color.paper};stroke-width:6}
.where{fill:${color.accent}}
.bar{stroke:${color.muted};fill:none}`;
}

/** Adds the class of maps to every selector. The rules have a line each. */
function onlyInMaps(rules: string): string {
  return rules.trim().replaceAll(/^[^{]+/gm, (selectors) => {
    return selectors
      .split(',')
      .map((selector) => `.toponym-map ${selector}`)
      .join(',');
  });
}
