/**
 * Slips of typing, as people make them: a letter left out, a key beside the right one, letters that
 * are swapped or doubled, and words spelt as they sound. Leaving out is among the commonest slips,
 * doubling the commonest way to add a letter, and few slips are in the first letter (Pollock and
 * Zamora 1983, Yannakoudakis and Fawthrop 1983).
 */
import type { Random } from '../drawn-places.ts';

const QWERTY = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const AZERTY = ['azertyuiop', 'qsdfghjklm', 'wxcvbn'];
const QWERTZ = ['qwertzuiop', 'asdfghjkl', 'yxcvbnm'];
/** By ISO 3166-1 code; other countries have QWERTY. */
const KEYBOARDS = new Map([
  ...['FR', 'BE', 'DZ', 'MA', 'TN', 'SN', 'CI', 'CM'].map((country) => [country, AZERTY] as const),
  ...['DE', 'AT', 'CH', 'CZ', 'HU', 'SI', 'HR', 'RS', 'BA'].map((country) => [country, QWERTZ] as const),
]);

/** Spellings that sound alike in several languages. Either is written for the other. */
const SOUNDS = [
  ['a', 'e'],
  ['ai', 'ay'],
  ['c', 'k'],
  ['ck', 'k'],
  ['e', 'i'],
  ['ea', 'ee'],
  ['er', 'ar'],
  ['f', 'ph'],
  ['g', 'gh'],
  ['h', ''],
  ['i', 'y'],
  ['ie', 'ei'],
  ['ks', 'x'],
  ['kw', 'qu'],
  ['o', 'u'],
  ['ou', 'u'],
  ['s', 'z'],
  ['sch', 'sh'],
  ['ch', 'tch'],
  ['t', 'th'],
  ['v', 'w'],
].flatMap(([a, b]) => [
  [a!, b!],
  [b!, a!],
]);

/** Of four slips in the first letter, this many are moved to another letter. */
const FIRST_LETTERS_KEPT = 3;

/** Writes the letter at `at` wrongly. Undefined if the slip cannot happen there. */
type Slip = (text: string, at: number, options: { random: Random; rows: readonly string[] }) => string | undefined;

/** One of these, each as often as it is listed. */
const SLIPS: readonly Slip[] = [
  ...[nextKey, nextKey, nextKey, nextKey, nextKey, missing, missing, missing, missing, missing],
  ...[swapped, swapped, swapped, asItSounds, asItSounds, asItSounds, added, added, doubled, doubled],
];

/** The text, which must be folded, with one slip on the keyboard of the country. */
export function slip(text: string, random: Random, country: string): string {
  const rows = KEYBOARDS.get(country) ?? QWERTY;
  for (;;) {
    const at = random(text.length);
    if (at === 0 && random(FIRST_LETTERS_KEPT + 1) > 0) continue;
    const slipped = SLIPS[random(SLIPS.length)]!(text, at, { random, rows });
    if (slipped !== undefined && slipped.trim() !== text) return slipped;
  }
}

/** The finger hits the key beside the right one. */
function nextKey(text: string, at: number, { random, rows }: Parameters<Slip>[2]): string | undefined {
  const key = neighbour(text[at]!, rows, random);
  return key && text.slice(0, at) + key + text.slice(at + 1);
}

/** The finger hits two keys. */
function added(text: string, at: number, { random, rows }: Parameters<Slip>[2]): string | undefined {
  const key = neighbour(text[at]!, rows, random);
  return key && text.slice(0, at + 1) + key + text.slice(at + 1);
}

function missing(text: string, at: number): string {
  return text.slice(0, at) + text.slice(at + 1);
}

function swapped(text: string, at: number): string {
  return text.slice(0, at) + text.slice(at + 1, at + 2) + text[at] + text.slice(at + 2);
}

function doubled(text: string, at: number): string | undefined {
  return text[at] === ' ' ? undefined : text.slice(0, at) + text[at] + text.slice(at);
}

function asItSounds(text: string, at: number, { random }: Parameters<Slip>[2]): string | undefined {
  const fitting = SOUNDS.filter(([right]) => right !== '' && text.startsWith(right!, at));
  const [right, written] = fitting[random(fitting.length)] ?? [];
  return right && text.slice(0, at) + written + text.slice(at + right.length);
}

/** A key that touches the key of the letter. Each row is half a key to the right of the one above. */
function neighbour(letter: string, rows: readonly string[], random: Random): string | undefined {
  const row = rows.findIndex((keys) => keys.includes(letter));
  if (row < 0) return undefined;
  const at = rows[row]!.indexOf(letter);
  const [above, below] = [rows[row - 1] ?? '', rows[row + 1] ?? ''];
  const keys = [rows[row]![at - 1], rows[row]![at + 1], above[at], above[at + 1], below[at - 1], below[at]];
  const touching = keys.filter((key) => key !== undefined);
  return touching[random(touching.length)];
}
