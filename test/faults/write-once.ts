/** Writes the number of bytes named to an index file. The last line of standard error is the error, if any. */
import { writeIndexFile } from '../../src/index-file/file.ts';

const [file = '', size = ''] = process.argv.slice(2);
try {
  writeIndexFile(file, [new Uint8Array(Number(size)).fill(1)]);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
