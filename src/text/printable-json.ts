/** Control characters that JSON leaves unescaped and a terminal would obey. */
const UNESCAPED_CONTROLS = /[\u007f-\u009f]/g;

/** JSON of a value, safe to print on a terminal. */
export function printableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.replace(UNESCAPED_CONTROLS, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}
