/**
 * Text that comes from files or the network, made safe to print: control characters are shown as escapes, because a
 * terminal would obey them. Covers C0, DEL and C1, which some terminals take for escape sequences too.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is control characters that are looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same without the line feed
const CONTROLS_IN_LINES = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;
const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A name, a row, a message: one line. */
export function printable(text: string): string {
  return text.replace(CONTROLS, escaped);
}

/** Text of several lines: line feeds stay. */
export function printableLines(text: string): string {
  return text.replace(CONTROLS_IN_LINES, escaped);
}

function escaped(control: string): string {
  return NAMED[control] ?? `\\x${hexOf(control)}`;
}

function hexOf(control: string): string {
  return control.charCodeAt(0).toString(16).padStart(2, '0');
}
