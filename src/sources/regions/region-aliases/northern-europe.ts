/**
 * Aliases of divisions in the Nordic countries. Keys are GeoNames admin codes: see alias-table.ts.
 */
import type { AliasTable, SharedAliasTable } from './alias-table.ts';

export const NORTHERN_EUROPE: AliasTable = {
  SE: {
    '02': 'Blekinge län',
    '03': 'Gävleborgs län',
    '05': 'Gotlands län|Готланд',
    '06': 'Hallands län',
    '07': 'Jämtlands län',
    '08': 'Jönköpings län',
    '09': 'Kalmar län|Öland',
    '10': 'Dalecarlia|Dalarnas län|Dalécarlie|Kopparbergs län',
    '12': 'Kronobergs län',
    '14': 'Norrbottens län',
    '15': 'Örebro län',
    '16': 'Ostrogothia|Östergötlands län',
    '18': 'Sörmland|Södermanlands län',
    '21': 'Uppsala län',
    '22': 'Värmlands län',
    '23': 'Västerbottens län',
    '24': 'Västernorrlands län',
    '25': 'Västmanlands län',
    '26': 'Stockholms län|Стокгольм|ストックホルム|斯德哥尔摩',
    '27': 'Scania|Skåne län|Schonen|Scanie|Сконе',
    '28': 'West Gothland|Västra Götalands län|VGR|Västergötland|Bohuslän',
  },
  NO: {
    '05': 'Finnmárku',
    '08': 'Møre|Sunnmøre|Nordmøre',
    '09': 'Lofoten|Vesterålen|Nordlánnda',
    '12': 'Kristiania|Осло|オスロ|奥斯陆',
    '18': 'Romsa',
    '21': 'Trøndelag fylke|Trööndelage|Nord-Trøndelag|Sør-Trøndelag',
    '34': 'Hedmark|Oppland',
    '38': 'Vestfold and Telemark',
    '42': 'Southern Norway|Sørlandet|Aust-Agder|Vest-Agder',
    '46': 'Western Norway|Vestlandet|Hordaland|Sogn og Fjordane',
    '54': 'Troms and Finnmark',
  },
  DK: {
    '17': 'Hovedstaden|Region Hovedstaden|Copenhagen Region|Bornholm',
    '18': 'Midtjylland|Region Midtjylland|Central Denmark',
    '19': 'Nordjylland|Region Nordjylland|North Jutland',
    '20': 'Region Sjælland|Lolland|Falster',
    '21': 'Syddanmark|Region Syddanmark|Southern Denmark|Fyn|Funen|Fünen|Fionie|Sønderjylland|South Jutland',
  },
  FI: {
    '01': 'Nyland',
    '02': 'Varsinais-Suomi|Finland Proper|Egentliga Finland',
    '05': 'Tavastia Proper|Egentliga Tavastland',
    '06': 'Birkaland|Tampere Region',
    '07': 'Päijät-Häme|Päijänne Tavastia',
    '08': 'Kymmenedalen',
    '09': 'Etelä-Karjala|Södra Karelen',
    '10': 'Etelä-Savo|Södra Savolax',
    '11': 'Pohjois-Savo|Norra Savolax',
    '12': 'Pohjois-Karjala|Norra Karelen',
    '13': 'Keski-Suomi|Mellersta Finland',
    '14': 'Etelä-Pohjanmaa|Södra Österbotten',
    '15': 'Pohjanmaa|Österbotten',
    '16': 'Keski-Pohjanmaa|Mellersta Österbotten',
    '17': 'Pohjois-Pohjanmaa|Norra Österbotten',
    '18': 'Kajanaland',
    '19': 'Lappi|Lappland|Laponie|Laponia|Lapponia|Лапландия|ラップランド|拉普兰|라플란드',
  },
};

export const NORTHERN_EUROPE_SHARED: SharedAliasTable = {
  // the island of Sjælland is larger than the region of that name (20)
  DK: { 'Sjælland|Seeland': '17 20', 'Jylland|Jutland|Jütland': '18 19 21' },
  // 30, 38 and 54 were counties from 2020 to 2024, and older data still has them
  NO: {
    Akershus: '01 30',
    Buskerud: '04 30',
    Finnmark: '05 54',
    Telemark: '17 38',
    Troms: '18 54',
    Vestfold: '20 38',
    Østfold: '13 30',
  },
  SE: { 'Lappland|Lapland': '14 23', Småland: '08 09 12', Norrland: '03 07 14 23 24' },
};
