/** The parts of a search that can be switched off: its stages. Importing this module changes them. */
import { type SearchState, STAGES } from 'toponym-engine/search/stages';

export interface Part {
  readonly name: string;
  isOff: boolean;
  /** Set by each search that would run the part, even if it is off. */
  hasRun: boolean;
}

/** Stages that also note what later stages need: these run without effect. */
const NOTING = ['withRegion', 'regionAlone', 'unfinishedRegion', 'oneTypo'];
const NO_EFFECT = {
  tryWithoutTypos() {},
  tryWithTypos() {},
  tryRegionAlone() {},
  liftRegionAlone() {},
};

export const PARTS: readonly Part[] = STAGES.map((stage) => {
  const part: Part = { name: stage.name, isOff: false, hasRun: false };
  const { when, run } = stage;
  stage.when = (state) => {
    if (!when(state)) return false;
    part.hasRun = true;
    if (part.isOff && NOTING.includes(stage.name)) runWithoutEffect(run, state);
    return !part.isOff;
  };
  return part;
});

function runWithoutEffect(run: (state: SearchState) => void, state: SearchState): void {
  const search = Object.assign(Object.create(state.search), NO_EFFECT);
  const changed = { ...state, search };
  run(changed);
  Object.assign(state, changed, { search: state.search });
}
