/**
 * Divisions to which the embedded places (of March 2023) belong, but which the newer table in
 * bundled-regions.ts lacks: all first-level ones, and second-level ones with many places. Vietnam
 * merged its provinces in 2025, and GeoNames assigned the old codes to other provinces (`VN.24` was
 * Long An and is now Bắc Ninh). So all former provinces of Vietnam are listed here.
 */
import type { RegionRow } from './regions.ts';

/** Countries whose rows in the newer table do not fit the embedded places. */
export const RENUMBERED_COUNTRIES: ReadonlySet<string> = new Set(['VN']);

/** Names of the divisions, by key. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  'ET.54': "Southern Nations, Nationalities, and Peoples' Region",
  'GB.ENG.J1': 'Northamptonshire',
  'NO.30': 'Viken',
  'NO.38': 'Vestfold og Telemark',
  'NO.54': 'Troms og Finnmark',
  'US.CT.001': 'Fairfield County',
  'US.CT.003': 'Hartford County',
  'US.CT.005': 'Litchfield County',
  'US.CT.007': 'Middlesex County',
  'US.CT.009': 'New Haven County',
  'US.CT.011': 'New London County',
  'US.CT.013': 'Tolland County',
  'US.CT.015': 'Windham County',
  'VN.01': 'An Giang',
  'VN.03': 'Bến Tre',
  'VN.05': 'Cao Bằng',
  'VN.09': 'Đồng Tháp',
  'VN.13': 'Hải Phòng',
  'VN.20': 'Hồ Chí Minh',
  'VN.21': 'Kiên Giang',
  'VN.23': 'Lâm Đồng',
  'VN.24': 'Long An',
  'VN.30': 'Quảng Ninh',
  'VN.32': 'Sơn La',
  'VN.33': 'Tây Ninh',
  'VN.34': 'Thanh Hóa',
  'VN.35': 'Thái Bình',
  'VN.37': 'Tiền Giang',
  'VN.39': 'Lạng Sơn',
  'VN.43': 'Đồng Nai',
  'VN.44': 'Hà Nội',
  'VN.45': 'Bà Rịa-Vũng Tàu',
  'VN.46': 'Bình Định',
  'VN.47': 'Bình Thuận',
  'VN.49': 'Gia Lai',
  'VN.50': 'Hà Giang',
  'VN.52': 'Hà Tĩnh',
  'VN.53': 'Hòa Bình',
  'VN.54': 'Khánh Hòa',
  'VN.55': 'Kon Tum',
  'VN.58': 'Nghệ An',
  'VN.59': 'Ninh Bình',
  'VN.60': 'Ninh Thuận',
  'VN.61': 'Phú Yên',
  'VN.62': 'Quảng Bình',
  'VN.63': 'Quảng Ngãi',
  'VN.64': 'Quảng Trị',
  'VN.65': 'Sóc Trăng',
  'VN.66': 'Thừa Thiên-Huế',
  'VN.67': 'Trà Vinh',
  'VN.68': 'Tuyên Quang',
  'VN.69': 'Vĩnh Long',
  'VN.70': 'Yên Bái',
  'VN.71': 'Bắc Giang',
  'VN.72': 'Bắc Kạn',
  'VN.73': 'Bạc Liêu',
  'VN.74': 'Bắc Ninh',
  'VN.75': 'Bình Dương',
  'VN.76': 'Bình Phước',
  'VN.77': 'Cà Mau',
  'VN.78': 'Đà Nẵng',
  'VN.79': 'Hải Dương',
  'VN.80': 'Hà Nam',
  'VN.81': 'Hưng Yên',
  'VN.82': 'Nam Định',
  'VN.83': 'Phú Thọ',
  'VN.84': 'Quảng Nam',
  'VN.85': 'Thái Nguyên',
  'VN.86': 'Vĩnh Phúc',
  'VN.87': 'Cần Thơ',
  'VN.88': 'Đắk Lắk',
  'VN.89': 'Lai Châu',
  'VN.90': 'Lào Cai',
  'VN.91': 'Đắk Nông',
  'VN.92': 'Điện Biên',
  'VN.93': 'Hậu Giang',
};

/**
 * Aliases by key, for keys that now belong to other divisions: region-aliases.ts would give them to
 * those, too. It has the aliases of all other former divisions.
 */
const FORMER_ALIASES: Readonly<Record<string, readonly string[]>> = {
  'VN.13': ['Haiphong', 'HP'],
  'VN.20': [
    'HCMC',
    'HCM',
    'TP HCM',
    'TPHCM',
    'Thành phố Hồ Chí Minh',
    'Ho Chi Minh City',
    'Saigon',
    'Sài Gòn',
    '胡志明市',
    'ホーチミン',
    '호찌민',
    'Хошимин',
  ],
  'VN.44': ['Hanoi', 'HN', 'Thành phố Hà Nội', '河内', 'ハノイ', '하노이', 'Ханой'],
  'VN.45': ['Vũng Tàu', 'BR-VT'],
  'VN.66': ['Huế'],
  'VN.78': ['Danang', '岘港', 'ダナン', '다낭', 'Дананг'],
  'VN.88': ['Đắc Lắc', 'Daklak'],
};

export const FORMER_REGIONS: readonly RegionRow[] = Object.entries(FORMER_NAMES).map(([key, name]) => ({
  key,
  name,
  aliases: FORMER_ALIASES[key] ?? [],
}));
