/**
 * Text with styles. It contains no escape sequences: only `renderText` adds them, after it has
 * escaped the control characters of the text. So data cannot send any to the terminal.
 */
import { styleText } from 'node:util';

const FORMATS = {
  title: 'bold',
  faint: 'dim',
  match: ['bold', 'magenta'],
  bar: 'cyan',
  ok: 'green',
  warning: 'yellow',
  problem: ['bold', 'red'],
} as const satisfies Record<string, Parameters<typeof styleText>[0]>;

/** What a terminal would obey: control characters, changes of direction, separators of lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;
const NAMED_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

let isColorAllowed = true;

export type Style = keyof typeof FORMATS;

interface Span {
  readonly text: string;
  readonly style?: Style;
}

export class StyledText {
  readonly spans: readonly Span[];

  constructor(spans: readonly Span[]) {
    this.spans = spans;
  }

  /** Without styles, so that a template literal loses the styles and nothing else. */
  toString(): string {
    return this.spans.map((span) => span.text).join('');
  }
}

export type Text = string | StyledText;

export function styled(style: Style, text: string): StyledText {
  return new StyledText([{ text, style }]);
}

export function joinText(parts: readonly Text[], separator = ''): StyledText {
  const spans = parts.flatMap((part, i) => [...(i === 0 ? [] : [{ text: separator }]), ...spansOf(part)]);
  return new StyledText(spans);
}

export function joinLines(lines: readonly Text[]): StyledText {
  return joinText(lines, '\n');
}

/** Changes the text of each span, and keeps its style. */
export function mapText(text: Text, change: (text: string) => string): StyledText {
  return new StyledText(spansOf(text).map((span) => ({ ...span, text: change(span.text) })));
}

/** The text as this stream gets it. Line feeds stay, other control characters are escaped. */
export function renderText(text: Text, stream: { readonly isTTY?: boolean }): string {
  const isColored = hasColor(stream);
  return spansOf(text)
    .map((span) => {
      const escaped = span.text.split('\n').map(printable).join('\n');
      return isColored && span.style !== undefined ? applyStyle(span.style, escaped) : escaped;
    })
    .join('');
}

/** For text without data, such as the titles of help texts. */
export function applyStyle(style: Style, text: string): string {
  return text === '' ? '' : styleText(FORMATS[style], text, { validateStream: false });
}

/** Forbids colours for the rest of this command, as `--no-color` does, or allows them again. */
export function allowColor(isAllowed: boolean): void {
  isColorAllowed = isAllowed;
}

/** `--no-color` and NO_COLOR win over FORCE_COLOR. An empty variable counts as not set. */
export function hasColor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  if (!isColorAllowed || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Escapes text that must stay on one line. */
export function printable(text: string): string {
  return text.replace(CONTROLS, escapeControl);
}

function escapeControl(control: string): string {
  const code = control.charCodeAt(0);
  const digits = code.toString(16);
  return NAMED_ESCAPES[control] ?? (code > 0xff ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`);
}

function spansOf(text: Text): readonly Span[] {
  return typeof text === 'string' ? [{ text }] : text.spans;
}
