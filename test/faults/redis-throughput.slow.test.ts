import { redisThroughput } from '../../faults/scenarios/redis-throughput.ts';
import { testScenario } from './test-scenario.ts';

testScenario(redisThroughput);
