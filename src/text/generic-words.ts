/** Words that people add to place names, such as "airport". A search may leave them out. */
import { fold } from './fold.ts';

const WORDS_BY_LANGUAGE = {
  en: 'airport airports area around bay beach bus centre center central city county district downtown flight flights greater hostel hotel hotels house map metro metropolitan motel near nearby old port railway region restaurant restaurants station suburb train town uptown university village weather',
  de: 'altstadt bahnhof bei flughafen gemeinde hafen hauptbahnhof hbf innenstadt kreis landkreis nahe ort stadt stadtmitte umgebung universitat wetter zentrum',
  fr: 'aeroport autour centre commune environs gare meteo pres proche quartier region universite vieille ville village',
  es: 'aeropuerto barrio centro cerca ciudad clima estacion playa provincia pueblo puerto tiempo universidad',
  it: 'aeroporto centro citta comune paese porto provincia quartiere stazione vicino',
  pt: 'aeroporto bairro centro cidade clima estacao municipio perto porto praia rodoviaria',
  nl: 'centrum gemeente haven luchthaven nabij stad station weer',
  pl: 'centrum dworzec gmina kolo lotnisko miasto pogoda',
  tr: 'belediyesi havalimani ilcesi merkez otel sehir sehri yakin',
  ru: 'аэропорт возле вокзал гор город деревня около отель погода поселок район село станция центр',
  uk: 'аеропорт біля вокзал готель місто погода район село станція центр',
  el: 'αεροδρόμιο καιρός κέντρο κοντά ξενοδοχείο πόλη σταθμός',
  ar: 'طقس فندق قرب قرية محطة مدينة مطار ميناء وسط',
  fa: 'ایستگاه شهر فرودگاه مرکز نزدیک هتل',
  he: 'העיר ליד מזג מלון מרכז עיר שדה תחנת תעופה',
  hi: 'अड्डा गाँव जिला नगर पास मौसम शहर सिटी स्टेशन हवाई होटल',
  th: 'เมือง โรงแรม สถานี สนามบิน ใกล้',
  ko: '공항 근처 날씨 시 시내 역 호텔',
  ja: '空港 駅 市内 天気 中心 ホテル',
  zh: '机场 火车站 市区 天气 酒店 附近',
} as const;

/** Those of the words that mean airport. */
const AIRPORT_WORDS =
  'airport airports flughafen aeroport aeropuerto aeroporto luchthaven lotnisko havalimani аэропорт аеропорт αεροδρόμιο مطار فرودگاه תעופה हवाई สนามบิน 공항 空港 机场';

const genericWords = foldedSet(Object.values(WORDS_BY_LANGUAGE));
const airportWords = foldedSet([AIRPORT_WORDS]);

function foldedSet(lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((words) => words.split(' ').map(fold)));
}

export function isGenericWord(foldedWord: string): boolean {
  return genericWords.has(foldedWord);
}

export function isAirportWord(foldedWord: string): boolean {
  return airportWords.has(foldedWord);
}
