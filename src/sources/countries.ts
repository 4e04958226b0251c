/**
 * The countries of ISO 3166-1 (and Kosovo), with the names and abbreviations people type for them.
 * Names in other languages come from the runtime's own locale data, so they need no table here.
 */
import type { Country } from '../place/gazetteer.ts';
import { COUNTRY_ALIASES } from './country-aliases.ts';

/** Alpha-2 and alpha-3 codes, five letters a country. */
const CODES = `
ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD BEBEL
BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD
CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA
DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF
GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN
IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA
KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE
MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM
NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM
PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN
SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL
TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR
VNVNM VUVUT WFWLF WSWSM XKXKX YEYEM YTMYT ZAZAF ZMZMB ZWZWE`;

/** Languages people are likely to type a country's name in, and that the runtime knows country names for. */
const LOCALES = (
  'en fr de es it pt nl pl ru uk be cs sk hu ro bg el tr ar he fa ur ps ku hi bn mr gu pa ta te kn ml or si ne th lo km my ' +
  'vi id ms fil jv ja ko zh zh-Hant yue sv da nb nn fi et lv lt sl hr sr sr-Latn bs sq mk ka hy az kk ky uz tk tg mn ' +
  'sw am so ha yo ig zu xh af is ga cy gd mt ca eu gl lb fo rm br fy hsb eo tt ug'
).split(' ');

/** Builds the table anew: some 25,000 names, about a tenth of a second. */
export function createCountries(): Country[] {
  const codes = CODES.trim().split(/\s+/);
  const displays = LOCALES.filter((locale) => Intl.DisplayNames.supportedLocalesOf(locale).length > 0).map(
    (locale) => new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' }),
  );
  const english = new Intl.DisplayNames(['en'], { type: 'region' });
  return codes.map((pair) => {
    const code = pair.slice(0, 2);
    const name = english.of(code) ?? code;
    const aliases = new Set([pair.slice(2), ...(COUNTRY_ALIASES[code] ?? [])]);
    for (const display of displays) {
      const translated = display.of(code);
      if (translated !== undefined) aliases.add(translated);
    }
    aliases.delete(name);
    return { code, name, aliases: [...aliases] };
  });
}
