/**
 * Aliases of divisions, separated by `|`. The outer key is a country or a first-level division
 * (`GB`, `GB.ENG`). The inner key is the division's GeoNames admin code within it (`ENG`, `J7`).
 */
export type AliasTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Names of areas that are several divisions or part of one. The outer key is as in AliasTable. The
 * inner key has the names, separated by `|`. The value has the divisions' codes, separated by
 * spaces. Below a country, the code of a second-level division includes the first level: `75.40`.
 */
export type SharedAliasTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Names of first-level divisions by country, a row for each, separated by `|`. A division with one
 * of the names gets the others as aliases, whatever its key.
 */
export type SynonymTable = Readonly<Record<string, readonly string[]>>;
