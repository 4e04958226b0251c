/**
 * Text with styles. It contains no escape sequences: only `renderText` adds them, after it has
 * escaped the control characters of the text. So data cannot send any to the terminal.
 */
import { styleText } from 'node:util';
import { hasColor } from './color.ts';
import { printableLines } from './printable.ts';

const FORMATS = {
  title: 'bold',
  faint: 'dim',
  match: ['bold', 'magenta'],
  bar: 'cyan',
  ok: 'green',
  warning: 'yellow',
  problem: ['bold', 'red'],
} as const satisfies Record<string, Parameters<typeof styleText>[0]>;

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
      const escaped = printableLines(span.text);
      return isColored && span.style !== undefined ? applyStyle(span.style, escaped) : escaped;
    })
    .join('');
}

/** For text without data, such as the titles of help texts. */
export function applyStyle(style: Style, text: string): string {
  return text === '' ? '' : styleText(FORMATS[style], text, { validateStream: false });
}

function spansOf(text: Text): readonly Span[] {
  return typeof text === 'string' ? [{ text }] : text.spans;
}
