import { flood } from '../../faults/scenarios/flood.ts';
import { testScenario } from './test-scenario.ts';

testScenario(flood);
