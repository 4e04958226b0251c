/** Aliases of first-level divisions, separated by `|`, by country and GeoNames code. */
export type AliasTable = Readonly<Record<string, Readonly<Record<string, string>>>>;
