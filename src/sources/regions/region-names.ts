/**
 * Region names without the word that says what kind of region it is: people type "Dallas", not "Dallas County".
 */

/** "Powiat warszawski", "Provincia de Salta", "Landkreis Gotha": the kind, and a linking word, in front. */
const KIND_IN_FRONT =
  /^(?:(?:Powiat|Landkreis|Kreis|Bezirk|Politischer Bezirk|Okres|Provincia|Province|Provincie|Provinz|Departamento|Département|Departement|Arrondissement|Distrito|District|Municipio|Município|Municipality|Municipiul|Comuna|Cantón|Canton|Kanton|Comarca|Partido|Barrio|Concelho|Gemeente|Kabupaten|Kota|Amphoe|Huyện|Quận|Thị Xã|Thành Phố|Tỉnh|Nomós|Daïra|Wilaya|Wilayah|Cercle|Commune|Communauté|Región|Región Metropolitana|Regione|Região|Région|Region|Estado|State|Free State|Free and Hanseatic City|Republic|Oblast|Obshtina|Opština|Općina|Grad|Gorod|Shahrestān-e|Ostān-e|Markaz|Liwā’|Muḩāfaz̧at|Judeţ|Județul|Jud|County|City and County|City|Parish|Governorate|Prefecture|Wojew[oó]dztwo|Srŏk|Khuet|Changwat|Gorodskoy Okrug|Raion|Bashkia|Komuna|Oraş)\s+(?:de l['’]|d['’]|dell['’]|(?:de la|de las|de los|del|de|da|do|dos|das|di|du|des|of the|of|van|ob)\s+)?)(?=\S)/u;

/** "Dallas County", "Kyiv Oblast", "Adana Province": the kind behind. */
const KIND_BEHIND =
  /\s+(?:County|District|Province|Region|Oblast|oblast|Department|Governorate|Prefecture|State|Parish|Municipality|Regional Municipality|District Municipality|Regional District|Republic|Krai|Kray|Okrug|Autonomous Okrug|Rayon|Raion|Voivodeship|Canton|Division|Territory|Emirate|Census Area|Borough|City|Kommun|kommun|Kommune|kommune|İlçesi|Tumani|Járás|pagasts|vald|Shi|Gun|Aūdany|novads|Administrative Okrug|Urban District|Metropolitan Area|Special Administrative Region|Autonomous Region)$/u;

/** Left alone, these say which part of a country is meant, but not of which country: "Northern", "Capital", "12". */
const NO_NAME =
  /^(?:(?:North|South|East|West|Central|Upper|Lower|Capital|Federal|Metropolitan|Regional|National|Urban|Rural)(?:ern)?|(?:of|de|du|da|do)\b.*|\P{L}.*|.{0,2})$/iu;

/** None where the name says no kind, or nothing but the kind. */
export function plainNames(name: string): string[] {
  const names = new Set<string>();
  const withoutFront = name.replace(KIND_IN_FRONT, '');
  for (const plain of [withoutFront, name.replace(KIND_BEHIND, ''), withoutFront.replace(KIND_BEHIND, '')]) {
    if (plain !== name && !NO_NAME.test(plain)) names.add(plain);
  }
  return [...names];
}
