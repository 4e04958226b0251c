/** The shell commands of a page, and the output that the page shows for them. */

export interface ShellBlock {
  /** Line of the page on which the block begins. */
  readonly line: number;
  readonly code: string;
  /** The `text` or `json` block right after it. */
  readonly output: string | undefined;
}

export function shellBlocks(page: string): ShellBlock[] {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n```(?:text|json)\n([\s\S]*?)^```\n)?/gm)];
  return blocks.map(({ index, 1: code = '', 2: output }) => {
    const line = page.slice(0, index).split('\n').length;
    return { line, code, output };
  });
}

/** The programs of a page: blocks of code whose first line is a comment with the name of their file. */
export function shownFiles(page: string): { readonly name: string; readonly code: string }[] {
  const blocks = page.matchAll(/^```\w+\n((?:<\?php )?(?:#|\/\/) ([\w-]+\.\w+)\n[\s\S]*?)^```$/gm);
  return Array.from(blocks, ([, code = '', name = '']) => ({ name, code }));
}

/** Compares output with what a page shows, where `…` stands for any text, and alone for any lines. */
export function isShownOutput(actual: string, shown: string): boolean {
  const pattern = shown
    .trimEnd()
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(escapePattern).join('.*')}\\n`))
    .join('');
  return new RegExp(`^${pattern}$`).test(`${actual.trimEnd()}\n`);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
