import { clockJumps } from '../../faults/scenarios/clock-jumps.ts';
import { testScenario } from './test-scenario.ts';

testScenario(clockJumps);
