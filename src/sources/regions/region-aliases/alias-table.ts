/**
 * Aliases of divisions, separated by `|`, in addition to their names in GeoNames. The outer key is
 * a country or a first-level division (`GB`, `GB.ENG`), the inner key the code within it.
 */
export type AliasTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Names of areas that are several divisions or part of one, such as historic counties. The outer
 * key is as in AliasTable. The inner key is the names, separated by `|`; the value is the codes,
 * separated by spaces. Within a country, a second-level code includes the first level: `75.40`.
 */
export type SharedAliasTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Names of first-level divisions by country, a row for each division, separated by `|`. A division
 * with one of the names has the others as aliases, whatever its key.
 */
export type SynonymTable = Readonly<Record<string, readonly string[]>>;
