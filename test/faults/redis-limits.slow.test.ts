import { redisLimits } from '../../faults/scenarios/redis-limits.ts';
import { testScenario } from './test-scenario.ts';

testScenario(redisLimits);
