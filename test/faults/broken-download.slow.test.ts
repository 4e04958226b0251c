import { brokenDownload } from '../../faults/scenarios/broken-download.ts';
import { testScenario } from './test-scenario.ts';

testScenario(brokenDownload);
