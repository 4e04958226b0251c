/** The examples of a page of the documentation, and what they say that they print. */
import assert from 'node:assert/strict';

/** The code blocks of a kind, such as `js`, in the order of the page. */
export function examples(page: string, kind: string): string[] {
  const blocks = [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)];
  return blocks.filter(([, blockKind]) => blockKind === kind).map(([, , code = '']) => code);
}

/** What the comments after the console.log calls of an example say. */
export function documentedOutput(code: string): string {
  const lines = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, output]) => `${output}\n`);
  assert.ok(lines.length > 0, `the example does not say what it prints:\n${code}`);
  return lines.join('');
}
