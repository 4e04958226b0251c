/** `toponym explain` as a user runs it, also in a real terminal of a given width. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { builtIndex } from '../../support/built-index.ts';
import { PROGRAM, testEnvironment } from '../../support/environment.ts';
import { outsideProgram } from '../../support/outside-programs.ts';
import { runToponym } from '../../support/running-service.ts';

const python = outsideProgram('python3');

/** Runs a command in a pseudo-terminal: width, then program and arguments. */
const IN_TERMINAL = `
import fcntl, os, pty, struct, sys, termios
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 50, int(sys.argv[1]), 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    sys.stdout.buffer.write(part)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
`;

test('explain says how the query was understood, and why each hit is above the next', async () => {
  const args = ['explain', 'springfield', 'il', '--index', await builtIndex()];
  const { stdout, stderr, code } = await runToponym(args, { env: { LC_ALL: 'C.UTF-8' } });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^“springfield il”\nSome words are the name, the others are its region\.\n/);
  assert.match(stdout, /^ 1 {2}Springfield, Illinois, United States +█+ +0\.70$/m);
  const plain = await runToponym(args, { env: { LC_ALL: 'C' } });
  assert.match(plain.stdout, /^ 1 {2}Springfield, Illinois, United States +#+ +0\.70$/m);
});

test('explain --json prints the response of the API with the ranking information', async () => {
  const given = ['paris', '--type', 'city', '--around-lat-lng', '33.6,-95.5', '--index', await builtIndex(), '--json'];
  const explained = JSON.parse((await runToponym(['explain', ...given])).stdout);
  const queried = JSON.parse((await runToponym(['query', ...given, '--get-ranking-info'])).stdout);
  assert.deepEqual({ ...explained, processingTimeMS: 0 }, { ...queried, processingTimeMS: 0 });
  assert.equal(typeof explained.hits[0]._rankingInfo.criteria.score, 'number');
});

test('a wrong flag value is refused, as by query', async () => {
  const { stderr, code } = await runToponym(['explain', 'x', '--type', 'metropolis']);
  assert.equal(code, 2);
  assert.match(stderr, /^toponym: --type: must be one of city, town,.*got "metropolis"\.\n$/);
});

test('in a terminal, no line is wider than 40, 80 or 120 columns', { skip: python.skip }, async () => {
  const command = [process.execPath, PROGRAM, 'explain', 'san', 'jose', '--index', await builtIndex()];
  for (const width of [40, 80, 120]) {
    const args = ['-c', IN_TERMINAL, String(width), ...command];
    const env = { ...testEnvironment(), LC_ALL: 'C.UTF-8' };
    const lines = execFileSync(python.path, args, { encoding: 'utf8', env })
      .split('\r\n')
      .map(stripVTControlCharacters);
    assert.ok(lines.length > 60, lines.join('\n'));
    const widest = Math.max(...lines.map((line) => line.length));
    assert.ok(widest <= width && widest > width * 0.9, `${width}: the widest line has ${widest} columns`);
  }
});
