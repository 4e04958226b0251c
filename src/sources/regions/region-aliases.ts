/**
 * Abbreviations and alternate names that people type for first-level divisions, one by one.
 * `regions.ts` adds aliases that follow a rule: codes ("TX" for `US.TX`), Japanese prefectures with
 * "-ken", and names without a word such as "County".
 */
import { AFRICA_AND_OCEANIA } from './region-aliases/africa-and-oceania.ts';
import { AMERICAS } from './region-aliases/americas.ts';
import { ASIA } from './region-aliases/asia.ts';
import { EUROPE } from './region-aliases/europe.ts';

/** Aliases by region key: `CA.10` → QC, Québec, … */
export const REGION_ALIASES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({ ...AFRICA_AND_OCEANIA, ...AMERICAS, ...ASIA, ...EUROPE }).flatMap(([country, byCode]) =>
    Object.entries(byCode).map(([code, aliases]) => [`${country}.${code}`, aliases.split('|')]),
  ),
);
