/**
 * What commands say to people and to programs: text or one JSON document on standard output.
 */
import { constants, fstatSync, readFileSync, statSync } from 'node:fs';
import { UsageError } from '../../errors/usage-error.ts';
import { printableJson } from '../../text/printable-json.ts';
import { printableLines } from './printable.ts';

export function print(text: string): void {
  process.stdout.write(`${printableLines(text)}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${printableJson(value)}\n`);
}

/** A command's result: as one JSON document with --json, as text otherwise. */
export function printResult(isJson: boolean | undefined, value: unknown, text: () => string): void {
  if (isJson) printJson(value);
  else print(text());
}

/**
 * A reader that goes away, as `head` does, is no error: what is printed after that is lost, and the program ends, or a
 * service runs on, as it would have otherwise.
 */
export function outliveReaders(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    note(`toponym: standard output cannot be written: ${error.message}`);
    process.exitCode = 1;
  });
  // there is no place left to say anything
  process.stderr.on('error', () => {});
}

/** For a command that is of no use without its output. Throws OutputError. */
export function checkOutputOpen(): void {
  if (isOutputClosed()) throw new OutputError('standard output is closed: there is no place for the result.');
}

/**
 * In place of a closed standard output Node opens /dev/null for reading and writing, while `>/dev/null` opens it for
 * writing only. False where the system does not tell.
 */
function isOutputClosed(): boolean {
  try {
    const [, flags = ''] = /^flags:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/fdinfo/1', 'utf8')) ?? [];
    const isReadWrite = (Number.parseInt(flags, 8) & constants.O_RDWR) !== 0;
    return isReadWrite && fstatSync(1).rdev === statSync('/dev/null').rdev;
  } catch {
    return false;
  }
}

/** For standard error: what is not the result. */
export function note(text: string): void {
  process.stderr.write(`${printableLines(text)}\n`);
}

/** Something asked for does not exist: one sentence, exit code 1. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}

/** The result cannot be written: one sentence, exit code 1. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** Errors whose message is all a user needs; any other is a bug and shows its stack. */
const PLAIN_ERRORS = [
  'NotFoundError',
  'OutputError',
  'IndexFormatError',
  'IpDatabaseError',
  'KeyStoreError',
  'SourceError',
  'DownloadError',
];

/** Shows an error and tells the exit code that goes with it. */
export function reportError(error: unknown): number {
  const { name, message, code, stack } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError) {
    note(`toponym: ${message}`);
    return 2;
  }
  const isPlain = PLAIN_ERRORS.includes(name) || (code !== undefined && /^E[A-Z]+$/.test(code));
  note(isPlain ? `toponym: ${message}` : `toponym: unexpected error\n${stack ?? String(error)}`);
  return 1;
}

/** As a POSIX shell takes it. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
