/** The scenarios of `npm run faults` in which Redis fails, beside scenarios.outside.test.ts. */
import { SCENARIOS } from '../../faults/scenarios.ts';
import { testShortForms } from './short-scenarios.ts';

testShortForms(SCENARIOS.filter(({ name }) => name.startsWith('redis-')));
