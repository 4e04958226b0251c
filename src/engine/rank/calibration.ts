/** The figures of the confidence of hits. `npm run calibrate` writes this file. */
import type { Calibration } from './confidence.ts';

export const CALIBRATION: Calibration = {
  mainName: {
    sharpness: 11.423,
    none: 3.64,
    nonePerScore: -15.05,
    nonePerLetter: -0.109,
    nonePerMatch: 0.853,
  },
  alternateName: {
    sharpness: 7.738,
    none: 0.63,
    nonePerScore: -7.235,
    nonePerLetter: -0.244,
    nonePerMatch: 0.835,
  },
  formerName: {
    sharpness: 10.502,
    none: 0.686,
    nonePerScore: -3.949,
    nonePerLetter: -0.272,
    nonePerMatch: 0.404,
  },
  mainNameInRegion: {
    sharpness: 18.336,
    none: -3.75,
    nonePerScore: -3.028,
    nonePerLetter: -0.073,
    nonePerMatch: 0.113,
  },
  alternateNameInRegion: {
    sharpness: 9.875,
    none: 1.922,
    nonePerScore: -11.334,
    nonePerLetter: -0.096,
    nonePerMatch: 1.387,
  },
  partOfName: {
    sharpness: 14.298,
    none: 5.463,
    nonePerScore: -12.237,
    nonePerLetter: -0.471,
    nonePerMatch: 0.897,
  },
  wordsOfName: {
    sharpness: 13.303,
    none: 3.854,
    nonePerScore: -11.377,
    nonePerLetter: -0.02,
    nonePerMatch: 0.813,
  },
  misspelt: {
    sharpness: 15.665,
    none: 8.962,
    nonePerScore: -14.012,
    nonePerLetter: -1.048,
    nonePerMatch: -0.051,
  },
  misspeltRegion: {
    sharpness: 18.092,
    none: 20.931,
    nonePerScore: -2,
    nonePerLetter: -2.189,
    nonePerMatch: 0.131,
  },
  partOfQuery: {
    sharpness: 8.371,
    none: 2.126,
    nonePerScore: -7.357,
    nonePerLetter: 0.023,
    nonePerMatch: -0.151,
  },
  regionAlone: {
    sharpness: 5.301,
    none: 2.874,
    nonePerScore: -7.059,
    nonePerLetter: -0.29,
    nonePerMatch: 0.533,
  },
};
