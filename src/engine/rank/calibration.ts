/** The figures of the confidence of hits. `npm run calibrate` writes this file. */
import type { Calibration } from './confidence.ts';

export const CALIBRATION: Calibration = {
  mainName: {
    sharpness: 10.487,
    none: 4.005,
    nonePerScore: -14.508,
    nonePerLetter: -0.155,
    nonePerMatch: 0.796,
  },
  alternateName: {
    sharpness: 6.803,
    none: 1.271,
    nonePerScore: -7.508,
    nonePerLetter: -0.271,
    nonePerMatch: 0.921,
  },
  formerName: {
    sharpness: 9.938,
    none: 1.904,
    nonePerScore: -10.049,
    nonePerLetter: -0.214,
    nonePerMatch: 1.159,
  },
  mainNameInRegion: {
    sharpness: 16.915,
    none: -3.873,
    nonePerScore: -2.008,
    nonePerLetter: -0.117,
    nonePerMatch: 0.3,
  },
  alternateNameInRegion: {
    sharpness: 9.561,
    none: -2.829,
    nonePerScore: -7.096,
    nonePerLetter: 0.139,
    nonePerMatch: 0.29,
  },
  partOfName: {
    sharpness: 13.349,
    none: 4.236,
    nonePerScore: -11.751,
    nonePerLetter: -0.352,
    nonePerMatch: 1.005,
  },
  wordsOfName: {
    sharpness: 11.365,
    none: 5.22,
    nonePerScore: -12.178,
    nonePerLetter: -0.181,
    nonePerMatch: 0.936,
  },
  misspelt: {
    sharpness: 13.86,
    none: 9.229,
    nonePerScore: -14.062,
    nonePerLetter: -1.068,
    nonePerMatch: -0.001,
  },
  misspeltRegion: {
    sharpness: 14.353,
    none: 11.099,
    nonePerScore: -3.462,
    nonePerLetter: -1.295,
    nonePerMatch: 0.504,
  },
  partOfQuery: {
    sharpness: 9.567,
    none: 8.987,
    nonePerScore: -7.898,
    nonePerLetter: -0.621,
    nonePerMatch: -0.471,
  },
  regionAlone: {
    sharpness: 4.752,
    none: 3.119,
    nonePerScore: -6.532,
    nonePerLetter: -0.255,
    nonePerMatch: 0.287,
  },
};
