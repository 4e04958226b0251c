/** The figures of the confidence of hits. `npm run calibrate` writes this file. */
import type { Calibration } from './confidence.ts';

export const CALIBRATION: Calibration = {
  mainName: { sharpness: 10.421, none: -2.245, nonePerScore: -1.02, nonePerLetter: -0.84 },
  alternateName: { sharpness: 7.848, none: -2.089, nonePerScore: -1.28, nonePerLetter: -1.274 },
  mainNameInRegion: { sharpness: 13.486, none: -1.722, nonePerScore: -1.927, nonePerLetter: -1.696 },
  alternateNameInRegion: { sharpness: 11.469, none: -0.724, nonePerScore: -1.01, nonePerLetter: -1.017 },
  partOfName: { sharpness: 10.366, none: 3.981, nonePerScore: 3.002, nonePerLetter: -4.31 },
  misspelt: { sharpness: 11.223, none: 0.23, nonePerScore: -9.037, nonePerLetter: -1.513 },
  misspeltRegion: { sharpness: 12.192, none: -1.628, nonePerScore: -1.738, nonePerLetter: -1.697 },
  partOfQuery: { sharpness: 9.184, none: 2.188, nonePerScore: -4.86, nonePerLetter: -0.598 },
  regionAlone: { sharpness: 8.773, none: -0.154, nonePerScore: -0.077, nonePerLetter: -0.486 },
};
