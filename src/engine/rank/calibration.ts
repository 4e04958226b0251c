/** The figures of the confidence of hits. `npm run calibrate` writes this file. */
import type { Calibration } from './confidence.ts';

export const CALIBRATION: Calibration = {
  mainName: { sharpness: 10.465, none: -2.738, nonePerScore: -1.201, nonePerLetter: -0.208 },
  alternateName: { sharpness: 7.567, none: -3.252, nonePerScore: 0.505, nonePerLetter: -0.994 },
  mainNameInRegion: { sharpness: 20.928, none: -2.444, nonePerScore: -4.254, nonePerLetter: -1.129 },
  alternateNameInRegion: { sharpness: 13.009, none: 1.399, nonePerScore: -1.548, nonePerLetter: -1.92 },
  partOfName: { sharpness: 11.202, none: 4.483, nonePerScore: 1.636, nonePerLetter: -3.958 },
  misspelt: { sharpness: 15.344, none: 8.055, nonePerScore: -10.618, nonePerLetter: -4.078 },
  partOfQuery: { sharpness: 9.019, none: 4.237, nonePerScore: -7.167, nonePerLetter: -1.195 },
  regionAlone: { sharpness: 5.541, none: -0.157, nonePerScore: -1.669, nonePerLetter: -0.308 },
};
