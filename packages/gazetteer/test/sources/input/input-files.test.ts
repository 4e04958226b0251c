import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { findInputs, type InputFile } from '../../../src/sources/input/input-files.ts';
import { readLines } from '../../../src/sources/input/lines.ts';
import { writeZip } from './write-zip.ts';

const TEXT = 'one\ntwo\nthree\n';

function aFile(context: TestContext, name: string, content: string | Buffer): string {
  const path = join(temporaryFolder(context), name);
  writeFileSync(path, content);
  return path;
}

async function readText(file: InputFile | undefined): Promise<string> {
  const lines: string[] = [];
  if (file !== undefined) for await (const some of readLines(file)) lines.push(...some.map(({ text }) => text));
  return lines.join('\n');
}

async function readAll(path: string): Promise<[label: string, name: string, text: string][]> {
  const read: [string, string, string][] = [];
  for (const file of findInputs([path])) read.push([file.label, file.name, await readText(file)]);
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

test('the first bytes of a file determine its compression, not its name', async (context) => {
  assert.deepEqual(await readAll(aFile(context, 'a.txt', gzipSync(TEXT))), [['a.txt', 'a.txt', TEXT.trimEnd()]]);
});

test('all files of an archive are read: stored or deflated, 32 or 64 bits', async (context) => {
  const archive = writeZip(
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
  writeFileSync(join(folder, 'c.zip'), writeZip({ name: 'z.txt', content: 'z' }));
  assert.deepEqual(
    findInputs([folder]).map(({ label }) => label),
    ['a.txt', 'b.txt', 'c.zip/z.txt'],
  );
});

test('the error for a truncated file names the file and the line', async (context) => {
  const long = Array.from({ length: 200_000 }, (_, i) => `line ${i * 7919}`).join('\n');
  for (const [name, packed] of [
    ['cut.txt.gz', gzipSync(long)],
    ['cut.txt.zst', zstdCompressSync(long)],
  ] as const) {
    const path = aFile(context, name, packed.subarray(0, packed.length - 20));
    await assert.rejects(readText(findInputs([path])[0]), {
      name: 'SourceError',
      message: /^cut\.txt\.\w+:\d+: the (gzip|zstd) data is damaged or truncated \(.+\)$/,
    });
  }
});

test('a truncated, encrypted or unsupported archive is refused', (context) => {
  const whole = writeZip({ name: 'LI.txt', content: TEXT });
  const cut = aFile(context, 'cut.zip', whole.subarray(0, whole.length - 10));
  assert.throws(() => findInputs([cut]), /cut\.zip: the archive has no directory: it is truncated or not a zip file$/);
  const locked = aFile(context, 'locked.zip', writeZip({ name: 'LI.txt', content: TEXT, claim: { flags: 1 } }));
  assert.throws(() => findInputs([locked]), /locked\.zip: LI\.txt is encrypted; unpack it first$/);
  const odd = Buffer.from(whole);
  odd.writeUInt16LE(12, whole.indexOf('PK\x01\x02', 0, 'latin1') + 10);
  assert.throws(() => findInputs([aFile(context, 'odd.zip', odd)]), /odd\.zip: LI\.txt uses compression method 12/);
});

test('an entry must have the size and checksum in the directory', async (context) => {
  const cases = [
    [{ bytes: 3 }, /^a\.zip\/LI\.txt:\d: contains more than the 3 bytes that the directory states$/],
    [{ bytes: 99 }, /^a\.zip\/LI\.txt:\d: contains 14 bytes, but the directory states 99$/],
    [{ crc: 1 }, /^a\.zip\/LI\.txt:\d: does not match its checksum: the archive is damaged$/],
  ] as const;
  for (const [claim, message] of cases) {
    const path = aFile(context, 'a.zip', writeZip({ name: 'LI.txt', content: TEXT, claim }));
    await assert.rejects(readText(findInputs([path])[0]), { name: 'SourceError', message });
  }
  const empty = writeZip({ name: 'LI.txt', content: '', isStored: true, claim: { bytes: 99 } });
  await assert.rejects(readText(findInputs([aFile(context, 'a.zip', empty)])[0]), {
    name: 'SourceError',
    message: /^a\.zip\/LI\.txt:\d: contains 0 bytes, but the directory states 99$/,
  });
});

test('an archive whose directory is damaged is refused, and no file is left out', (context) => {
  const whole = writeZip({ name: 'LI.txt', content: TEXT }, { name: 'AD.txt', content: TEXT });
  const secondEntryAt = whole.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  const endRecordAt = whole.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const damages: Record<string, (archive: Buffer) => void> = {
    'another signature': (archive) => archive.writeUInt8(0, secondEntryAt),
    'a comment longer than the directory': (archive) => archive.writeUInt16LE(60_000, secondEntryAt + 32),
    'an entry too few': (archive) =>
      archive.writeUInt32LE(secondEntryAt - archive.indexOf('PK\x01\x02'), endRecordAt + 12),
    'a wrong number of entries': (archive) => archive.writeUInt16LE(1, endRecordAt + 10),
  };
  for (const [damage, inflict] of Object.entries(damages)) {
    const archive = Buffer.from(whole);
    inflict(archive);
    const path = aFile(context, 'a.zip', archive);
    const message = `${path}: the archive is damaged: its directory is invalid`;
    assert.throws(() => findInputs([path]), { name: 'SourceError', message }, damage);
  }
});

test('a damaged archive is read or refused, and never crashes the reader', async (context) => {
  const whole = writeZip({ name: 'LI.txt', content: TEXT }, { name: 'AD.txt', content: 'x', isZip64: true });
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

test('a decompression bomb is refused long before it is unpacked', async (context) => {
  const zeros = Buffer.alloc(40 * 2 ** 20);
  const gzip = aFile(context, 'bomb.txt.gz', gzipSync(zeros));
  await assert.rejects(
    readText(findInputs([gzip])[0]),
    /^SourceError: bomb\.txt\.gz:1: unpacks to over 200 times its \d+ bytes/,
  );
  const zip = aFile(context, 'bomb.zip', writeZip({ name: 'LI.txt', content: zeros }));
  await assert.rejects(readText(findInputs([zip])[0]), /^SourceError: bomb\.zip\/LI\.txt:1: unpacks to over 200 times/);
});

test('overlapping entries are refused', (context) => {
  const shared = writeZip({ name: 'a.txt', content: TEXT }, { name: 'b.txt', content: TEXT, claim: { offset: 0 } });
  assert.throws(() => findInputs([aFile(context, 'a.zip', shared)]), /a\.zip: b\.txt overlaps another entry/);
});

test('a missing file, or one that contradicts its extension, is refused', (context) => {
  const path = aFile(context, 'a.zip', deflateRawSync(TEXT));
  assert.throws(() => findInputs([path]), { name: 'SourceError', message: `${path}: is not a zip file, or is empty` });
  assert.throws(() => findInputs([`${path}x`]), {
    name: 'SourceError',
    message: /a\.zipx: cannot be read: no such file or directory/,
  });
});
