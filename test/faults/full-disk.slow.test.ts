import { fullDisk } from '../../faults/scenarios/full-disk.ts';
import { testScenario } from './test-scenario.ts';

testScenario(fullDisk);
