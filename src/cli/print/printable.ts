/** Replaces control characters, which a terminal would obey, with visible escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same without the line feed
const CONTROLS_IN_LINES = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;
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
  return NAMED_ESCAPES[control] ?? `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
