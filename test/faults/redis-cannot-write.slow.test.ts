import { redisCannotWrite } from '../../faults/scenarios/redis-cannot-write.ts';
import { testScenario } from './test-scenario.ts';

testScenario(redisCannotWrite);
