import { killedKeyCommands } from '../../faults/scenarios/killed-key-commands.ts';
import { testScenario } from './test-scenario.ts';

testScenario(killedKeyCommands);
