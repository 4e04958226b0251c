import { redisLostMaster } from '../../faults/scenarios/redis-lost-master.ts';
import { testScenario } from './test-scenario.ts';

testScenario(redisLostMaster);
