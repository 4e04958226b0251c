/** Variants of region names that follow a rule of their country: "Co Down" for "County Down". */

/** `variant` is a replacement string for `names`. */
type Rule = readonly [countries: string, names: RegExp, variant: string];

const RULES: readonly Rule[] = [
  ['GB IE', /^County (?=\S)/, 'Co '],
  ['PL', /^(.+[cs]kie)$/, 'woj. $1'],
  ['PL', /^(.+[cs]kie)$/, 'województwo $1'],
  ['RU UA KZ BY', / область$/, ' обл.'],
  ['US', /^(\p{Script=Cyrillic}.+)$/u, 'штат $1'],
  // words for state in Japanese, Chinese and Korean, and the Chinese word for province
  ['US AU DE CA', /^([\p{Script=Katakana}ー・＝]+)$/u, '$1州'],
  ['US AU DE', /^([\p{Script=Han}-]+[^州区區])$/u, '$1州'],
  ['CA', /^([\p{Script=Han}-]+[^省区區])$/u, '$1省'],
  ['US AU DE CA', /^(\p{Script=Hangul}+)$/u, '$1주'],
  // Chinese writes 県 (prefecture) in its own forms
  ['JP', /^(\p{Script=Han}+)県$/u, '$1县'],
  ['JP', /^(\p{Script=Han}+)県$/u, '$1縣'],
  // local words for governorate, province and region
  ['EG IQ SY JO LB YE OM KW BH', /^(\p{Script=Arabic}.+)$/u, 'محافظة $1'],
  ['SA', /^(\p{Script=Arabic}.+)$/u, 'منطقة $1'],
  ['DZ TN SD', /^(\p{Script=Arabic}.+)$/u, 'ولاية $1'],
  ['MA', /^(\p{Script=Arabic}.+)$/u, 'جهة $1'],
  ['IR', /^(\p{Script=Arabic}.+)$/u, 'استان $1'],
  ['TH', /^(\p{Script=Thai}.+)$/u, 'จังหวัด$1'],
  ['BG', /^(\p{Script=Cyrillic}.+)$/u, 'област $1'],
];

const rulesByCountry = new Map<string, Rule[]>();
for (const rule of RULES) {
  for (const country of rule[0].split(' ')) rulesByCountry.set(country, [...(rulesByCountry.get(country) ?? []), rule]);
}

export function aliasVariants(country: string, name: string): string[] {
  const rules = rulesByCountry.get(country) ?? [];
  return rules.filter(([, names]) => names.test(name)).map(([, names, variant]) => name.replace(names, variant));
}
