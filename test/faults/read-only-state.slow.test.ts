import { readOnlyState } from '../../faults/scenarios/read-only-state.ts';
import { testScenario } from './test-scenario.ts';

testScenario(readOnlyState);
