/** Facts and figures as text for people. */
import { printable } from './printable.ts';

export type Fact = readonly [name: string, value: string];

export function formatFacts(facts: readonly Fact[], { nameWidth }: { readonly nameWidth: number }): string[] {
  return facts.map(([name, value]) => `${name.padEnd(nameWidth)} ${printable(value)}`);
}

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
