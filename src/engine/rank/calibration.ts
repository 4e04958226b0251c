/** The figures of the confidence of hits. `npm run calibrate` writes this file. */
import type { Calibration } from './confidence.ts';

export const CALIBRATION: Calibration = {
  mainName: {
    sharpness: 11.287,
    none: 4.291,
    nonePerScore: -15.088,
    nonePerLetter: -0.156,
    nonePerMatch: 0.765,
  },
  alternateName: {
    sharpness: 7.504,
    none: 0.831,
    nonePerScore: -7.033,
    nonePerLetter: -0.252,
    nonePerMatch: 0.81,
  },
  formerName: {
    sharpness: 10.109,
    none: 0.684,
    nonePerScore: -3.522,
    nonePerLetter: -0.26,
    nonePerMatch: 0.431,
  },
  mainNameInRegion: {
    sharpness: 16.783,
    none: -5.237,
    nonePerScore: -3.043,
    nonePerLetter: 0.063,
    nonePerMatch: 0.057,
  },
  alternateNameInRegion: {
    sharpness: 10.07,
    none: 0.539,
    nonePerScore: -7.067,
    nonePerLetter: -0.167,
    nonePerMatch: 0.999,
  },
  partOfName: {
    sharpness: 14.242,
    none: 5.73,
    nonePerScore: -12.371,
    nonePerLetter: -0.477,
    nonePerMatch: 0.879,
  },
  wordsOfName: {
    sharpness: 12.811,
    none: 4.315,
    nonePerScore: -10.655,
    nonePerLetter: -0.111,
    nonePerMatch: 0.737,
  },
  misspelt: {
    sharpness: 14.086,
    none: 9.685,
    nonePerScore: -15.06,
    nonePerLetter: -1.128,
    nonePerMatch: -0.504,
  },
  misspeltRegion: {
    sharpness: 14.365,
    none: 9.775,
    nonePerScore: -4.058,
    nonePerLetter: -1.161,
    nonePerMatch: 0,
  },
  partOfQuery: {
    sharpness: 11.002,
    none: 6.913,
    nonePerScore: -8.979,
    nonePerLetter: -0.457,
    nonePerMatch: -0.699,
  },
  regionAlone: {
    sharpness: 5.574,
    none: 3.139,
    nonePerScore: -6.725,
    nonePerLetter: -0.296,
    nonePerMatch: 0.45,
  },
};
