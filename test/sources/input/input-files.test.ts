import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { findInputs, type InputFile } from '../../../src/sources/input/input-files.ts';
import { readLines } from '../../../src/sources/input/lines.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { zipOf } from './write-zip.ts';

const TEXT = 'one\ntwo\nthree\n';

function aFile(context: TestContext, name: string, content: string | Buffer): string {
  const path = join(temporaryFolder(context), name);
  writeFileSync(path, content);
  return path;
}

async function textOf(file: InputFile | undefined): Promise<string> {
  const lines: string[] = [];
  if (file !== undefined) for await (const some of readLines(file)) lines.push(...some.map(({ text }) => text));
  return lines.join('\n');
}

async function readAll(path: string): Promise<[label: string, name: string, text: string][]> {
  const read: [string, string, string][] = [];
  for (const file of findInputs([path])) read.push([file.label, file.name, await textOf(file)]);
  return read;
}

test('a file reads the same plain, in gzip and in Zstandard', async (context) => {
  const text = TEXT.trimEnd();
  const files: [string, string | Buffer][] = [
    ['a.txt', TEXT],
    ['a.txt.gz', gzipSync(TEXT)],
    ['a.txt.zst', zstdCompressSync(TEXT)],
  ];
  for (const [name, content] of files) {
    assert.deepEqual(await readAll(aFile(context, name, content)), [[name, 'a.txt', text]]);
  }
});

test('what a file is packed with is told by its bytes, not by its name', async (context) => {
  assert.deepEqual(await readAll(aFile(context, 'a.txt', gzipSync(TEXT))), [['a.txt', 'a.txt', TEXT.trimEnd()]]);
});

test('every file of an archive is read, stored or deflated, in 32 or 64 bits, and folders are not', async (context) => {
  const archive = zipOf(
    { name: 'LI.txt', content: TEXT },
    { name: 'sub/', content: '' },
    { name: 'sub/AD.txt', content: 'stored', isStored: true },
    { name: 'big.txt', content: 'large', isZip64: true },
    { name: 'empty.txt', content: '', isStored: true },
  );
  assert.deepEqual(await readAll(aFile(context, 'all.zip', archive)), [
    ['all.zip/LI.txt', 'LI.txt', TEXT.trimEnd()],
    ['all.zip/sub/AD.txt', 'AD.txt', 'stored'],
    ['all.zip/big.txt', 'big.txt', 'large'],
    ['all.zip/empty.txt', 'empty.txt', ''],
  ]);
});

test('a folder stands for its files in the order of their names', async (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'inner'));
  for (const name of ['b.txt', 'a.txt', '.hidden', 'inner/c.txt']) writeFileSync(join(folder, name), name);
  writeFileSync(join(folder, 'c.zip'), zipOf({ name: 'z.txt', content: 'z' }));
  assert.deepEqual(
    findInputs([folder]).map(({ label }) => label),
    ['a.txt', 'b.txt', 'c.zip/z.txt'],
  );
});

test('a file that is cut off is refused with its name and the line it ends in', async (context) => {
  const long = Array.from({ length: 200_000 }, (_, i) => `line ${i * 7919}`).join('\n');
  for (const [name, packed] of [
    ['cut.txt.gz', gzipSync(long)],
    ['cut.txt.zst', zstdCompressSync(long)],
  ] as const) {
    const path = aFile(context, name, packed.subarray(0, packed.length - 20));
    await assert.rejects(textOf(findInputs([path])[0]), {
      name: 'SourceError',
      message: /^cut\.txt\.\w+:\d+: the (gzip|zstd) data is damaged or cut off \(.+\)$/,
    });
  }
});

test('an archive that is cut off, encrypted or packed in an unknown way is refused with its name', (context) => {
  const whole = zipOf({ name: 'LI.txt', content: TEXT });
  const cut = aFile(context, 'cut.zip', whole.subarray(0, whole.length - 10));
  assert.throws(() => findInputs([cut]), /cut\.zip: the archive has no directory: it is cut off or no zip$/);
  const locked = aFile(context, 'locked.zip', zipOf({ name: 'LI.txt', content: TEXT, claim: { flags: 1 } }));
  assert.throws(() => findInputs([locked]), /locked\.zip: LI\.txt is encrypted; unpack it first$/);
  const odd = Buffer.from(whole);
  odd.writeUInt16LE(12, whole.indexOf('PK\x01\x02', 0, 'latin1') + 10);
  assert.throws(() => findInputs([aFile(context, 'odd.zip', odd)]), /odd\.zip: LI\.txt is packed by method 12/);
});

test('an entry must have the size and the checksum that its archive says', async (context) => {
  const cases = [
    [{ bytes: 3 }, /^a\.zip\/LI\.txt:\d: holds more than the 3 bytes its directory says$/],
    [{ bytes: 99 }, /^a\.zip\/LI\.txt:\d: holds 14 bytes where its directory says 99$/],
    [{ crc: 1 }, /^a\.zip\/LI\.txt:\d: does not match its checksum: the archive is damaged$/],
  ] as const;
  for (const [claim, message] of cases) {
    const path = aFile(context, 'a.zip', zipOf({ name: 'LI.txt', content: TEXT, claim }));
    await assert.rejects(textOf(findInputs([path])[0]), { name: 'SourceError', message });
  }
});

test('damaged bytes anywhere in an archive are an error that names it, or harmless', async (context) => {
  const whole = zipOf({ name: 'LI.txt', content: TEXT }, { name: 'AD.txt', content: 'x', isZip64: true });
  for (let at = 0; at < whole.length; at++) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    const path = aFile(context, 'a.zip', damaged);
    const outcome = await readAll(path).then(
      () => 'read',
      (error: Error) => error.name,
    );
    assert.ok(outcome === 'read' || outcome === 'SourceError', `byte ${at}: ${outcome}`);
  }
});

test('what unpacks to many times its size is refused long before it is unpacked', async (context) => {
  const zeros = Buffer.alloc(40 * 2 ** 20);
  const gzip = aFile(context, 'bomb.txt.gz', gzipSync(zeros));
  await assert.rejects(
    textOf(findInputs([gzip])[0]),
    /^SourceError: bomb\.txt\.gz:1: unpacks to over 200 times its \d+ bytes/,
  );
  const zip = aFile(context, 'bomb.zip', zipOf({ name: 'LI.txt', content: zeros }));
  await assert.rejects(textOf(findInputs([zip])[0]), /^SourceError: bomb\.zip\/LI\.txt:1: unpacks to over 200 times/);
});

test('entries that share their bytes are refused', (context) => {
  const shared = zipOf({ name: 'a.txt', content: TEXT }, { name: 'b.txt', content: TEXT, claim: { offset: 0 } });
  assert.throws(() => findInputs([aFile(context, 'a.zip', shared)]), /a\.zip: b\.txt overlaps another entry/);
});

test('a file that is not what its ending says, or is not there, is refused with its path', (context) => {
  const path = aFile(context, 'a.zip', deflateRawSync(TEXT));
  assert.throws(() => findInputs([path]), { name: 'SourceError', message: `${path}: is no zip file, or is empty` });
  assert.throws(() => findInputs([`${path}x`]), { name: 'SourceError', message: /a\.zipx: cannot be read: ENOENT/ });
});
