/** The figures of the confidence of hits. `npm run calibrate` writes this file. */
import type { Calibration } from './confidence.ts';

export const CALIBRATION: Calibration = {
  mainName: {
    sharpness: 11.226,
    none: 4.639,
    nonePerScore: -15.453,
    nonePerLetter: -0.162,
    nonePerMatch: 0.721,
  },
  alternateName: {
    sharpness: 7.289,
    none: 1.074,
    nonePerScore: -7.351,
    nonePerLetter: -0.275,
    nonePerMatch: 0.844,
  },
  formerName: {
    sharpness: 10.299,
    none: 0.829,
    nonePerScore: -3.633,
    nonePerLetter: -0.278,
    nonePerMatch: 0.41,
  },
  mainNameInRegion: {
    sharpness: 18.19,
    none: -3.495,
    nonePerScore: -3.592,
    nonePerLetter: -0.067,
    nonePerMatch: 0.142,
  },
  alternateNameInRegion: {
    sharpness: 9.224,
    none: -0.023,
    nonePerScore: -17.361,
    nonePerLetter: 0.256,
    nonePerMatch: 2.533,
  },
  partOfName: {
    sharpness: 14.265,
    none: 5.736,
    nonePerScore: -12.426,
    nonePerLetter: -0.476,
    nonePerMatch: 0.885,
  },
  wordsOfName: {
    sharpness: 12.964,
    none: 4.309,
    nonePerScore: -11.34,
    nonePerLetter: -0.066,
    nonePerMatch: 0.784,
  },
  misspelt: {
    sharpness: 15.508,
    none: 9.336,
    nonePerScore: -15.127,
    nonePerLetter: -1.088,
    nonePerMatch: -0.153,
  },
  misspeltRegion: {
    sharpness: 16.489,
    none: 19.953,
    nonePerScore: -2.493,
    nonePerLetter: -2.084,
    nonePerMatch: 0.294,
  },
  partOfQuery: {
    sharpness: 12.154,
    none: 6.442,
    nonePerScore: -8.477,
    nonePerLetter: -0.427,
    nonePerMatch: -0.379,
  },
  regionAlone: {
    sharpness: 5.372,
    none: 3.25,
    nonePerScore: -7.183,
    nonePerLetter: -0.31,
    nonePerMatch: 0.489,
  },
};
