import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShownOutput, shellBlocks, shownFiles } from './shell-blocks.ts';

const PAGE = `# Page

\`\`\`sh
toponym query paris
\`\`\`

\`\`\`text
Paris, France
…
1 of 3
\`\`\`

\`\`\`sh
toponym get G1
\`\`\`

Text.
`;

test('a shell block has its line, its commands and the output shown after it', () => {
  assert.deepEqual(shellBlocks(PAGE), [
    { line: 3, code: 'toponym query paris\n', output: 'Paris, France\n…\n1 of 3\n' },
    { line: 13, code: 'toponym get G1\n', output: undefined },
  ]);
});

test('an ellipsis stands for any text in a line, and alone for any lines', () => {
  const shown = 'Key tpk_…\n…\n2 of 3\n';
  assert.ok(isShownOutput('Key tpk_abc\n2 of 3\n', shown));
  assert.ok(isShownOutput('Key tpk_abc\na\nb\n2 of 3\n', shown));
  assert.ok(!isShownOutput('Key abc\n2 of 3\n', shown));
  assert.ok(!isShownOutput('Key tpk_abc\n2 of 3\nmore\n', shown));
});

test('a program of a page has the name in the comment on its first line', () => {
  const page = '```php\n<?php // a.php\necho 1;\n```\n\n```go\n// b.go\npackage main\n```\n\n```js\nlet c;\n```\n';
  assert.deepEqual(shownFiles(page), [
    { name: 'a.php', code: '<?php // a.php\necho 1;\n' },
    { name: 'b.go', code: '// b.go\npackage main\n' },
  ]);
});
