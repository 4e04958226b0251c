/** Prints results on standard output, and notes and errors on standard error. */
import { constants, fstatSync, readFileSync, statSync } from 'node:fs';
import { maskKeys } from 'toponym-access/keys/key-text';
import { IndexFormatError } from 'toponym-engine/index-file/open-index';
import { printableJson } from 'toponym-engine/text/utf8';
import { errorMessage, errorReason, PlainError, UsageError } from 'toponym-files/errors/errors';
import { joinText, mapText, renderText, styled, type Text } from './styled-text.ts';

export function print(text: Text): void {
  process.stdout.write(`${renderText(text, process.stdout)}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${printableJson(value)}\n`);
}

export function printResult(isJson: boolean | undefined, value: unknown, text: () => Text): void {
  if (isJson) printJson(value);
  else print(text());
}

/** Ignores a reader that closes the pipe early, as `head` does. Reports other errors. */
export function handleOutputErrors(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    noteError(`standard output cannot be written: ${errorReason(error)}`);
    process.exitCode = 1;
  });
  // no stream is left to report a failure of standard error
  process.stderr.on('error', () => {});
}

export function requireOpenOutput(): void {
  if (isOutputClosed()) throw new PlainError('standard output is closed, so the result cannot be written.');
}

/**
 * Detects that Node replaced a closed standard output with /dev/null. Node opens /dev/null for
 * reading and writing, but `>/dev/null` opens it for writing only.
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

/** Prints a message that is not part of the result. Masks keys, which a user may take for ids. */
export function note(text: Text): void {
  process.stderr.write(`${renderText(mapText(text, maskKeys), process.stderr)}\n`);
}

/** Prints an error or a problem, after the name of the program. */
export function noteError(message: string): void {
  note(joinText([styled('problem', 'toponym:'), ` ${message}`]));
}

/** Something that the user requested does not exist. */
export class NotFoundError extends PlainError {
  override readonly name = 'NotFoundError';
}

export function reportError(error: unknown): number {
  const { message, code, stack } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError) {
    noteError(message);
    return 2;
  }
  // system errors have codes such as ENOENT; Node's own have codes such as ERR_INVALID_ARG_TYPE
  const isSystemError = code !== undefined && /^E[A-Z]+$/.test(code);
  const isPlain = isSystemError || error instanceof PlainError || error instanceof IndexFormatError;
  noteError(isPlain ? errorMessage(error) : `unexpected error\n${stack ?? String(error)}`);
  return 1;
}
