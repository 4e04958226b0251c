import { slowSockets } from '../../faults/scenarios/slow-sockets.ts';
import { testScenario } from './test-scenario.ts';

testScenario(slowSockets);
