import { killedProcess } from '../../faults/scenarios/killed-process.ts';
import { testScenario } from './test-scenario.ts';

testScenario(killedProcess);
