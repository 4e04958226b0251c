/**
 * Styles of the element. Every colour can be set by a custom property; its default follows
 * `color-scheme`. They are adopted, because a strict Content-Security-Policy forbids style elements.
 */

const color = (name: string, light: string, dark: string) => `var(--toponym-${name},light-dark(${light},${dark}))`;
const TEXT = color('text', '#1b1d1a', '#e9ebe6');
const MUTED = color('muted', '#5d6159', '#a3aaa2');
const ACCENT = color('accent', '#0b6b5d', '#6fd0be');
const SURFACE = color('surface', '#fff', '#1b1e1c');
const BORDER = color('border', '#8b8d86', '#737b74');
const LINE = color('line', '#e0e0d9', '#303631');
const HOVER = color('hover', '#f3f3ef', '#202421');
const ACTIVE = color('active', '#e6f1ee', '#1c302c');
const ALERT = color('alert', '#8a4b00', '#f2bd73');
const ALERT_SURFACE = color('alert-surface', '#fdf2e0', '#33270f');
const SHADOW = 'var(--toponym-shadow,0 8px 28px light-dark(#14191424,#00000080))';
const RADIUS = 'var(--toponym-radius,.5rem)';

/** Of a hit's line, which the page at `/` shows in its list of results too. */
export const HIT_LINE_STYLES = `
.hit-line{display:grid;grid:auto/1.75rem minmax(0,1fr) auto;gap:0 .625rem;align-items:baseline}
.hit-line>:first-child{grid-row:span 2;align-self:center}
.hit-line>.flag{font-size:1.25rem;line-height:1}
.flag-code{color:${MUTED};font-size:.75rem;font-weight:600}
.hit-label{overflow-wrap:anywhere}
.hit-line mark{background:none;color:${ACCENT};font-weight:700}
.hit-region,.hit-facts{color:${MUTED}}
.hit-facts{grid-column:2/-1;font-size:.8125rem;overflow-wrap:anywhere}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}`;

const ELEMENT_STYLES = `
:host{display:block;position:relative;color:${TEXT};line-height:1.5;text-align:start}
:host([hidden]),[hidden]{display:none!important}
*{box-sizing:border-box}
.field{position:relative}
[aria-busy=true]>input{animation:busy 1s .3s infinite}
@keyframes busy{50%{box-shadow:inset 0 -3px ${ACCENT}}}
[role=none]{opacity:.5;transition:opacity .1s .2s}
input{width:100%;height:2.75rem;margin:0;padding-inline:.875rem 2.75rem;border:1.5px solid ${BORDER};
border-radius:${RADIUS};background:${SURFACE};color:inherit;font:inherit;text-overflow:ellipsis}
input::placeholder{color:${MUTED};opacity:1}
input:focus{border-color:${ACCENT};outline:3px solid ${ACTIVE}}
input:disabled{opacity:.6}
.field:dir(ltr)>input:dir(rtl),.field:dir(rtl)>input:dir(ltr){padding-inline:2.75rem .875rem}
button{position:absolute;inset-block:0;inset-inline-end:0;width:2.75rem;padding:0;border:0;background:none;
color:${MUTED};font:1.25rem/1 system-ui,sans-serif;cursor:pointer}
input:placeholder-shown+button,input:disabled~button,.locate{display:none}
:host([locate]) input:enabled:placeholder-shown~.locate{display:block}
.locate::before{content:"";display:block;width:1.375rem;height:1.375rem;margin:auto;background:
linear-gradient(currentColor,currentColor) 50%/2px 100% no-repeat,linear-gradient(currentColor,currentColor) 50%/100% 2px no-repeat,
radial-gradient(closest-side,#0000 62%,currentColor 66% 76%,#0000 80%)}
button:focus-visible{outline:3px solid ${ACCENT};outline-offset:-6px}
.popup{position:absolute;z-index:var(--toponym-z-index,10);inset:calc(100% + .375rem) 0 auto;border:1px solid ${LINE};
border-radius:${RADIUS};background:${SURFACE};box-shadow:${SHADOW};font-size:.9375rem;overflow:hidden}
:host(:not(:focus-within)) .popup,.popup:not(:has(>:not(.credits):not([hidden]))),.list[hidden]~.credits{display:none}
.popup>*{margin:0}
.list{max-height:min(30rem,70vh);padding:.375rem;overflow-y:auto;overscroll-behavior:contain}
.none{padding:.5rem .875rem;color:${MUTED}}
.credits{padding:.25rem .875rem;border-top:1px solid ${LINE};color:${MUTED};font-size:.75rem;overflow-wrap:anywhere}
.credits a{color:inherit}
[part~=option]{padding:.5rem;border-inline-start:2px solid #0000;border-radius:.375rem;cursor:pointer}
[role=option]:hover{background:${HOVER}}
[part~=active]{border-color:${ACCENT};background:${ACTIVE}!important}
.trouble{margin:.5rem 0 0;padding:.5rem .875rem;border-radius:${RADIUS};background:${ALERT_SURFACE};color:${ALERT};
font-size:.9375rem}
.popup>.trouble{margin:0;border-radius:0}
.enter{color:${MUTED}}
.trouble a{color:inherit}
@media(forced-colors:active){[part~=active]{outline:2px solid Highlight;outline-offset:-2px}}`;

let sheet: CSSStyleSheet | undefined;

/** One sheet for all elements. */
export function elementSheet(): CSSStyleSheet {
  sheet ??= sheetOf(HIT_LINE_STYLES + ELEMENT_STYLES);
  return sheet;
}

export function sheetOf(css: string): CSSStyleSheet {
  const created = new CSSStyleSheet();
  created.replaceSync(css);
  return created;
}
