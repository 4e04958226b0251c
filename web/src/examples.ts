/** Texts to try, each with what it shows. */
export const EXAMPLES: readonly (readonly [text: string, about: string])[] = [
  ['sprngfield il', 'a typo, and a state by its code'],
  ['ニューヨーク', 'any script'],
  ['paris, tex', 'a region that is not finished'],
  ['londres', 'names in other languages'],
  ['48.8584, 2.2945', 'coordinates: the place that contains them'],
];
