/** Names of divisions without their generic word: people type "Dallas", not "Dallas County". */

/** "Kreis Gotha", "Provincia de Salta". */
const GENERIC_PREFIX =
  /^(?:(?:Powiat|Landkreis|Kreis|Bezirk|Politischer Bezirk|Okres|Provincia autonoma|Provincia|Província|Province|Provincie|Provinz|Departamento|Département|Departement|Arrondissement|Distrito|District|Municipio|Município|Municipality|Municipiul|Comuna|Cantón|Canton|Kanton|Comarca|Partido|Barrio|Concelho|Gemeente|Kabupaten|Kota|Amphoe|Huyện|Quận|Thị Xã|Thành Phố|Tỉnh|Nomós|Daïra|Wilaya|Wilayah|Cercle|Commune|Communauté|Región|Región Metropolitana|Regione|Região|Région|Region|Estado|State|Free State|Free and Hanseatic City|Republic|Oblast|Obshtina|Opština|Općina|Grad|Gorod|Shahrestān-e|Ostān-e|Markaz|Liwā’|Muḩāfaz̧at|Judeţ|Județul|Jud|County|City and County|City and Borough|Royal Borough|Metropolitan Borough|Borough|City|Parish|Governorate|Prefecture|Wojew[oó]dztwo|Srŏk|Khuet|Changwat|Gorodskoy Okrug|Raion|Bashkia|Komuna|Oraş)\s+(?:de l['’]|d['’]|dell['’]|(?:de la|de las|de los|del|de|da|do|dos|das|di|du|des|of the|of|van|ob)\s+)?)(?=\S)/u;

/** "Dallas County", "Kyiv Oblast". */
const GENERIC_SUFFIX =
  /\s+(?:County|District|Province|Region|Oblast|oblast|Department|Governorate|Prefecture|State|Parish|Municipality|Regional Municipality|District Municipality|Regional District|Republic|Krai|Kray|Okrug|Autonomous Okrug|Rayon|Raion|Voivodeship|Canton|Division|Territory|Emirate|Census Area|[Cc]ounty [Bb]orough|Borough|City|Kommun|kommun|Kommune|kommune|İlçesi|Tumani|Járás|pagasts|vald|Shi|Gun|Aūdany|novads|Administrative Okrug|Urban District|Metropolitan Area|Special Administrative Region|Autonomous Region)$/u;

/** Remainders that are no names, such as "Northern", and any of up to two letters. */
const NOT_A_NAME =
  /^(?:(?:North|South|East|West|Central|Upper|Lower|Capital|Free|Federal|Metropolitan|Regional|National|Urban|Rural)(?:ern)?|(?:of|de|du|da|do)\b.*|\P{L}.*|.{0,2})$/iu;

/** The name without a generic word before it, after it or both, if a name remains. */
export function plainNames(name: string): string[] {
  const names = new Set<string>();
  const withoutPrefix = name.replace(GENERIC_PREFIX, '');
  for (const plain of [withoutPrefix, name.replace(GENERIC_SUFFIX, ''), withoutPrefix.replace(GENERIC_SUFFIX, '')]) {
    if (plain !== name && !NOT_A_NAME.test(plain)) names.add(plain);
  }
  return [...names];
}
