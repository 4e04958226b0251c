/** Characters that JSON leaves unescaped and a terminal would obey: control characters, and direction of text. */
const UNESCAPED_CONTROLS = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;

/** JSON of a value, safe to print on a terminal. */
export function printableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.replace(UNESCAPED_CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
