import { sigterm } from '../../faults/scenarios/sigterm.ts';
import { testScenario } from './test-scenario.ts';

testScenario(sigterm);
