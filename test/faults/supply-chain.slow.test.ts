import { supplyChain } from '../../faults/scenarios/supply-chain.ts';
import { testScenario } from './test-scenario.ts';

testScenario(supplyChain);
