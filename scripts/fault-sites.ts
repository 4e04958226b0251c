/** Places in a source file where a small mistake can be planted, one fault each. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

export interface Fault {
  readonly kind: 'wrong comparison' | 'missing await' | 'swapped arguments' | 'dropped check';
  /** The folder of packages/, or of the src/ of a package. */
  readonly folder: string;
  readonly file: string;
  readonly line: number;
  /** The line, and what it becomes. */
  readonly before: string;
  readonly after: string;
  /** The whole file with the fault. */
  readonly text: string;
}

interface Change {
  readonly kind: Fault['kind'];
  /** Finds the place in code whose strings and comments are blanked out. */
  readonly pattern: RegExp;
  readonly replace: (found: string) => string;
}

const OTHER_COMPARISON: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};

const CHANGES: readonly Change[] = [
  {
    kind: 'wrong comparison',
    pattern: /(?<= )(?:<|<=|>|>=|===|!==)(?= )/g,
    replace: (found) => OTHER_COMPARISON[found] ?? found,
  },
  { kind: 'missing await', pattern: /(?<!for )\bawait /g, replace: () => '' },
  {
    kind: 'swapped arguments',
    pattern: /(?<=\w\()(?<!Math\.(?:min|max)\()[\w.]+, [\w.]+(?=[,)](?! =>))/g,
    replace: (found) => found.split(', ').reverse().join(', '),
  },
  { kind: 'dropped check', pattern: /(?<=^ *)if \(.*\) (?:return\b.*|throw .*|continue);$/gm, replace: () => ';' },
];

/** Strings, templates without expressions, comments, and regular expressions after an operator. */
const NOT_CODE =
  /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`|\/\*[\s\S]*?\*\/|\/\/.*|(?<=[(,=:[!&|?{;]\s*)\/(?:[^/\\\n]|\\.)+\/\w*/g;

export function faultSites(folder: string, file: string): Fault[] {
  const source = readFileSync(file, 'utf8');
  const code = source.replace(NOT_CODE, (found) => found.replace(/[^\n]/g, ' '));
  return CHANGES.flatMap(({ kind, pattern, replace }) =>
    [...code.matchAll(pattern)].flatMap(({ 0: found, index }) => {
      // the code and the source have the same length
      const original = source.slice(index, index + found.length);
      const text = source.slice(0, index) + replace(original) + source.slice(index + found.length);
      const line = source.slice(0, index).split('\n').length;
      const fault = { kind, folder, file, line, before: lineOf(source, line), after: lineOf(text, line), text };
      return text !== source && isValid(text) ? [fault] : [];
    }),
  );
}

function lineOf(text: string, line: number): string {
  return text.split('\n')[line - 1]?.trim() ?? '';
}

function isValid(text: string): boolean {
  try {
    stripTypeScriptTypes(text);
    return true;
  } catch {
    return false;
  }
}
