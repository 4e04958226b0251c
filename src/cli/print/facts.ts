/** Facts and figures as text for people. */
import { printable } from './printable.ts';

/** Formats one fact per line; names are padded to `nameWidth`. */
export function formatFacts(facts: readonly (readonly [name: string, value: string])[], nameWidth: number): string[] {
  return facts.map(([name, value]) => `${name.padEnd(nameWidth)} ${printable(value)}`);
}

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
