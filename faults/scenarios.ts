/** All scenarios, in the order in which they run. */
import type { Scenario } from './scenario.ts';
import { crashedThread } from './scenarios/crashed-thread.ts';
import { flood } from './scenarios/flood.ts';
import { fullDisk } from './scenarios/full-disk.ts';
import { generatedRequests } from './scenarios/generated-requests.ts';
import { killedKeyCommands } from './scenarios/killed-key-commands.ts';
import { killedProcess } from './scenarios/killed-process.ts';
import { readOnlyState } from './scenarios/read-only-state.ts';
import { sigterm } from './scenarios/sigterm.ts';
import { slowSockets } from './scenarios/slow-sockets.ts';

export const SCENARIOS: readonly Scenario[] = [
  flood,
  generatedRequests,
  slowSockets,
  killedProcess,
  crashedThread,
  sigterm,
  killedKeyCommands,
  fullDisk,
  readOnlyState,
];
