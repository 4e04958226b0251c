/** Writes an index file of the given size. An error is the last line of standard error. */
import { writeIndexFile } from 'toponym-files/index-file';

const [file = '', size = ''] = process.argv.slice(2);
try {
  writeIndexFile(file, [new Uint8Array(Number(size)).fill(1)]);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
