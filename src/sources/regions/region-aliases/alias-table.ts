/**
 * Aliases of divisions, separated by `|`, in addition to their names in GeoNames. The outer key is
 * a country or a first-level division (`GB`, `GB.ENG`), the inner key the code within it.
 */
export type AliasTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Names that several divisions share, such as those of historic counties. The outer key is as in
 * AliasTable; the inner key has the names, separated by `|`, and the value the codes, by spaces.
 */
export type SharedAliasTable = Readonly<Record<string, Readonly<Record<string, string>>>>;
