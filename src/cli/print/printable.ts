/**
 * Replaces characters that a terminal would obey with visible escapes: control characters, those that
 * change the direction of text, such as U+202E, and separators of lines.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same without the line feed
const CONTROLS_IN_LINES = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;
const NAMED_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes text that must stay on one line. */
export function printable(text: string): string {
  return text.replace(CONTROLS, escapeControl);
}

/** Escapes text of several lines; line feeds stay. */
export function printableLines(text: string): string {
  return text.replace(CONTROLS_IN_LINES, escapeControl);
}

function escapeControl(control: string): string {
  const code = control.charCodeAt(0);
  const digits = code.toString(16);
  return NAMED_ESCAPES[control] ?? (code > 0xff ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`);
}
