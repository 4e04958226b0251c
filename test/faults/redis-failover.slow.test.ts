import { redisFailover } from '../../faults/scenarios/redis-failover.ts';
import { testScenario } from './test-scenario.ts';

testScenario(redisFailover);
