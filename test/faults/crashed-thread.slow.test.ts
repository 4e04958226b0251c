import { crashedThread } from '../../faults/scenarios/crashed-thread.ts';
import { testScenario } from './test-scenario.ts';

testScenario(crashedThread);
