/** Other names of first-level regions, apart by `|`: by country, then by GeoNames' code. */
export type AliasTable = Readonly<Record<string, Readonly<Record<string, string>>>>;
