/**
 * Abbreviations and alternate names that people type for first-level regions.
 * `regions.ts` adds codes made of letters (`US.TX`, `CH.ZH`), "-ken" for 県, and names without their
 * generic word.
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
