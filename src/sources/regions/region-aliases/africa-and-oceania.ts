/** Aliases of first-level divisions by GeoNames code, in addition to their names in GeoNames. */
import type { AliasTable } from './alias-table.ts';

export const AFRICA_AND_OCEANIA: AliasTable = {
  AU: {
    '01': 'ACT|A.C.T.',
    '02': 'NSW|N.S.W.',
    '03': 'NT|N.T.',
    '04': 'QLD|Qld.',
    '05': 'SA|S.A.|South Aus',
    '06': 'TAS|Tassie',
    '07': 'VIC|Vic.',
    '08': 'WA|W.A.|Western Aus',
  },
  NZ: {
    E7: 'AKL|Tāmaki Makaurau',
    E8: 'BOP',
    E9: 'Waitaha',
    F1: 'Tairāwhiti',
    F2: "Hawke's Bay|Hawkes Bay|HKB",
    F3: 'Manawatū-Whanganui|Manawatu-Whanganui|Manawatu|MWT',
    F5: 'Nelson',
    F6: 'NTL|Te Tai Tokerau',
    F7: 'OTA|Ōtākou',
    F8: 'STL|Murihiku',
    F9: 'Taranaki',
    G1: 'Waikato',
    G2: 'Wellington|WGN',
    G3: 'WTC|Westland',
    TAS: 'Tasman',
  },
  ZA: {
    '02': 'KZN|Natal|Zululand',
    '03': 'FS|Orange Free State|Vrystaat',
    '05': 'EC|Oos-Kaap',
    '06': 'GP|GT',
    '07': 'MP|Eastern Transvaal',
    '08': 'NC|Noord-Kaap',
    '09': 'LP|LIM|Northern Transvaal',
    '10': 'NW|Noordwes|North-West',
    '11': 'WC|Wes-Kaap',
  },
  EG: {
    '06': 'Al Iskandariyah|الإسكندرية',
    '08': 'Al Jizah|الجيزة',
    '11': 'Al Qahirah|القاهرة',
    '28': 'Al Uqsur|الأقصر',
  },
  NG: { '11': 'Abuja|Federal Capital Territory|Abuja FCT' },
  // abolished, but the embedded places still have it: see former-regions.ts
  ET: { '54': 'SNNPR|SNNP|Southern Nations' },
};
