/** The figures of the confidence of hits. `npm run calibrate` writes this file. */
import type { Calibration } from './confidence.ts';

export const CALIBRATION: Calibration = {
  mainName: { sharpness: 10.421, none: -2.245, nonePerScore: -1.02, nonePerLetter: -0.84 },
  alternateName: { sharpness: 7.848, none: -2.089, nonePerScore: -1.28, nonePerLetter: -1.274 },
  mainNameInRegion: { sharpness: 13.486, none: -1.722, nonePerScore: -1.927, nonePerLetter: -1.696 },
  alternateNameInRegion: { sharpness: 11.469, none: -0.724, nonePerScore: -1.01, nonePerLetter: -1.017 },
  partOfName: { sharpness: 10.302, none: 3.974, nonePerScore: 2.919, nonePerLetter: -4.26 },
  misspelt: { sharpness: 11.214, none: 0.253, nonePerScore: -9.049, nonePerLetter: -1.535 },
  misspeltRegion: { sharpness: 12.109, none: -1.643, nonePerScore: -1.776, nonePerLetter: -1.706 },
  partOfQuery: { sharpness: 9.184, none: 2.188, nonePerScore: -4.86, nonePerLetter: -0.598 },
  regionAlone: { sharpness: 8.589, none: -0.237, nonePerScore: -0.082, nonePerLetter: -0.401 },
};
