/**
 * Aliases of divisions in Australia and New Zealand: abbreviations, Maori names, and names in
 * other languages. Keys are GeoNames admin codes: see alias-table.ts.
 */
import type { AliasTable } from './alias-table.ts';

export const OCEANIA: AliasTable = {
  AU: {
    '01': 'ACT|Канберра|澳大利亚首都领地|首都特別地域',
    '02': 'NSW|Nueva Gales del Sur|Nouvelle-Galles du Sud|Neusüdwales|Nova Gales do Sul|Новый Южный Уэльс|ニューサウスウェールズ|新南威尔士|新南威爾斯|新州|뉴사우스웨일스|نيو ساوث ويلز',
    '03': 'NT|Territoire du Nord|Territorio del Norte|Северная территория|ノーザンテリトリー|北领地|北領地|노던 준주|הטריטוריה הצפונית',
    '04': 'QLD|Квинсленд|クイーンズランド|昆士兰|昆士蘭|퀸즐랜드|كوينزلاند|קווינסלנד',
    '05': 'SA|South Aus|Australie-Méridionale|Australia Meridional|Südaustralien|Южная Австралия|南オーストラリア|南澳大利亚|南澳|사우스오스트레일리아|جنوب أستراليا',
    '06': 'TAS|Tassie|Tasmanie|Tasmanien|Тасмания|タスマニア|塔斯马尼亚|塔斯馬尼亞|태즈메이니아|تسمانيا|טסמניה',
    '07': 'VIC|Виктория|ビクトリア|维多利亚|維多利亞|维州|빅토리아|فيكتوريا|ויקטוריה',
    '08': 'WA|Western Aus|W. Australia|Australie-Occidentale|Australia Occidental|Westaustralien|Западная Австралия|西オーストラリア|西澳大利亚|西澳|웨스턴오스트레일리아|غرب أستراليا',
  },
  NZ: {
    E7: 'AKL|Tāmaki Makaurau|Окленд|オークランド|奥克兰|오클랜드',
    E8: 'BOP',
    E9: 'Waitaha',
    F1: 'Tairāwhiti',
    F2: 'HKB',
    F3: 'Manawatū-Whanganui|Manawatu|Wanganui|MWT',
    F6: 'NTL|Te Tai Tokerau|Bay of Islands',
    F7: 'OTA|Ōtākou',
    F8: 'STL|Murihiku',
    G2: 'WGN|Te Whanganui-a-Tara|Веллингтон|ウェリントン|惠灵顿',
    G3: 'WTC|Westland|Te Tai Poutini',
  },
};
