/** The examples of a page of the documentation, and what they say that they print. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

/**
 * Writes the examples into a project as modules. Returns the code of a module that runs them one after
 * the other, and what they say that they print.
 */
export function writeExamples(project: string, codes: readonly string[]): { code: string; output: string } {
  for (const [i, code] of codes.entries()) writeFileSync(join(project, `example-${i}.mjs`), code);
  return {
    code: codes.map((_, i) => `await import('./example-${i}.mjs');\n`).join(''),
    output: codes.map(documentedOutput).join(''),
  };
}
