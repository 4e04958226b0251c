/** The figures of the confidence of hits. `npm run calibrate` writes this file. */
import type { Calibration } from './confidence.ts';

export const CALIBRATION: Calibration = {
  mainName: {
    sharpness: 10.448,
    none: 4.166,
    nonePerScore: -14.738,
    nonePerLetter: -0.174,
    nonePerMatch: 0.868,
  },
  alternateName: {
    sharpness: 6.959,
    none: 1.504,
    nonePerScore: -7.614,
    nonePerLetter: -0.289,
    nonePerMatch: 0.937,
  },
  formerName: {
    sharpness: 9.868,
    none: 1.882,
    nonePerScore: -10.409,
    nonePerLetter: -0.2,
    nonePerMatch: 1.325,
  },
  mainNameInRegion: {
    sharpness: 17.035,
    none: -4.291,
    nonePerScore: -2.12,
    nonePerLetter: -0.075,
    nonePerMatch: 0.292,
  },
  alternateNameInRegion: {
    sharpness: 8.263,
    none: -4.982,
    nonePerScore: -6.729,
    nonePerLetter: 0.312,
    nonePerMatch: 0.187,
  },
  partOfName: {
    sharpness: 13.221,
    none: 4.576,
    nonePerScore: -11.443,
    nonePerLetter: -0.407,
    nonePerMatch: 0.954,
  },
  wordsOfName: {
    sharpness: 12.528,
    none: 3.907,
    nonePerScore: -10.452,
    nonePerLetter: -0.114,
    nonePerMatch: 0.849,
  },
  misspelt: {
    sharpness: 14.121,
    none: 8.861,
    nonePerScore: -13.864,
    nonePerLetter: -0.999,
    nonePerMatch: 0.428,
  },
  misspeltRegion: {
    sharpness: 14.122,
    none: 11.225,
    nonePerScore: -3.766,
    nonePerLetter: -1.289,
    nonePerMatch: 0.365,
  },
  partOfQuery: {
    sharpness: 9.309,
    none: 7.444,
    nonePerScore: -7.546,
    nonePerLetter: -0.491,
    nonePerMatch: -0.445,
  },
  regionAlone: {
    sharpness: 4.791,
    none: 4.099,
    nonePerScore: -7.824,
    nonePerLetter: -0.336,
    nonePerMatch: 0.366,
  },
};
