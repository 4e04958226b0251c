import { overload } from '../../faults/scenarios/overload.ts';
import { testScenario } from './test-scenario.ts';

testScenario(overload);
