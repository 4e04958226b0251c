import { generatedRequests } from '../../faults/scenarios/generated-requests.ts';
import { testScenario } from './test-scenario.ts';

testScenario(generatedRequests);
