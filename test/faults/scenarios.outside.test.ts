/** The scenarios of `npm run faults`, without those of redis-scenarios.outside.test.ts. */
import { SCENARIOS } from '../../faults/scenarios.ts';
import { testShortForms } from './short-scenarios.ts';

testShortForms(SCENARIOS.filter(({ name }) => !name.startsWith('redis-')));
