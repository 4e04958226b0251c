import { brokenFiles } from '../../faults/scenarios/broken-files.ts';
import { testScenario } from './test-scenario.ts';

testScenario(brokenFiles);
