import { keySearch } from '../../faults/scenarios/key-search.ts';
import { testScenario } from './test-scenario.ts';

testScenario(keySearch);
