/** Facts, figures and commands as text for people. */

import { joinText, printable, styled, type Text } from './styled-text.ts';
import { terminalWidth, wrapWords } from './text-width.ts';

/** A fact without a value is left out. */
export type Fact = readonly [name: string, value: Text | undefined];

/** One line per fact. A value that is too wide continues on lines of its own, below its start. */
export function formatFacts(
  facts: readonly Fact[],
  { nameWidth, width = terminalWidth() }: { readonly nameWidth: number; readonly width?: number },
): Text[] {
  return facts.flatMap(([name, value]) => {
    if (value === undefined) return [];
    const lines = typeof value === 'string' ? wrapWords(printable(value), width - nameWidth - 1) : [value];
    return lines.map((line, i) =>
      joinText([styled('faint', i === 0 ? printable(name) : ''), padding(i === 0 ? name : '', nameWidth), line]),
    );
  });
}

function padding(name: string, nameWidth: number): string {
  return ' '.repeat(Math.max(nameWidth - printable(name).length, 0) + 1);
}

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

/** `1 key`, `2 keys` */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Formats a duration such as `45 s`, `1 min 20 s` or `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Quotes text for a POSIX shell, unless it has only harmless characters. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
