/** Written by scripts/search-words.js from tables/search-words.tsv. */

/** Words that mean airport. */
export const AIRPORT_WORDS =
  'مطار flughafen αεροδρόμιο airport airports aeropuerto فرودگاه aeroport תעופה हवाई aeroporto 空港 공항 luchthaven lotnisko аэропорт สนามบิน havalimani аеропорт 机场';

/** Other words that people add to place names: "city". */
export const GENERIC_WORDS =
  'طقس فندق قرب قرية محطة مدينة ميناء وسط altstadt bahnhof bei gemeinde hafen hauptbahnhof hbf innenstadt kreis landkreis nahe ort stadt stadtmitte umgebung universitat wetter zentrum κέντρο καιρός κοντά ξενοδοχείο πόλη σταθμός area around bay beach bus center central centre city county district downtown flight flights greater hostel hotel hotels house map metro metropolitan motel near nearby old port railway region restaurant restaurants station suburb town train university uptown village weather barrio centro cerca ciudad clima estacion playa provincia pueblo puerto tiempo universidad ایستگاه شهر مرکز نزدیک هتل autour commune environs gare meteo pres proche quartier universite vieille ville העיר ליד מזג מלון מרכז עיר שדה תחנת अड्डा गाँव जिला नगर पास मौसम शहर सिटी स्टेशन होटल citta comune paese porto quartiere stazione vicino ホテル 中心 天気 市内 駅 근처 날씨 시 시내 역 호텔 centrum gemeente haven nabij stad weer dworzec gmina kolo miasto pogoda bairro cidade estacao municipio perto praia rodoviaria возле вокзал гор город деревня около отель погода поселок район село станция центр สถานี เมือง โรงแรม ใกล้ belediyesi ilcesi merkez otel sehir sehri yakin біля готель місто станція 天气 市区 火车站 酒店 附近';

/** Articles, prepositions, conjunctions and the frequent "san". */
export const PARTICLES =
  'a al am an and at auf bei by d da das de dei del della den der des di die do dos du e el en et i im in l la las le les lez los na nad ob of on oo op pod pri s san sous sub sul sur t the u und unter upon van von vor y ya z zu zum zur';
