/** JSON leaves DEL and the C1 control characters unescaped, and a terminal would obey them. */
const UNESCAPED_CONTROLS = /[\u007f-\u009f]/g;

/** JSON text of the value that is safe to print on a terminal. */
export function printableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.replace(UNESCAPED_CONTROLS, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}
