/** All scenarios, in the order in which they run. */
import type { Scenario } from './scenario.ts';
import { brokenDownload } from './scenarios/broken-download.ts';
import { brokenFiles } from './scenarios/broken-files.ts';
import { chunkedCalls } from './scenarios/chunked-calls.ts';
import { clockJumps } from './scenarios/clock-jumps.ts';
import { compatRequests } from './scenarios/compat-requests.ts';
import { costlyRequests } from './scenarios/costly-requests.ts';
import { crashedThread } from './scenarios/crashed-thread.ts';
import { flood } from './scenarios/flood.ts';
import { fullDisk } from './scenarios/full-disk.ts';
import { generatedRequests } from './scenarios/generated-requests.ts';
import { keySearch } from './scenarios/key-search.ts';
import { killedKeyCommands } from './scenarios/killed-key-commands.ts';
import { killedProcess } from './scenarios/killed-process.ts';
import { longOverlay } from './scenarios/long-overlay.ts';
import { overload } from './scenarios/overload.ts';
import { readOnlyState } from './scenarios/read-only-state.ts';
import { redisBursts } from './scenarios/redis-bursts.ts';
import { redisCannotWrite } from './scenarios/redis-cannot-write.ts';
import { redisFailover } from './scenarios/redis-failover.ts';
import { redisLimits } from './scenarios/redis-limits.ts';
import { redisLostMaster } from './scenarios/redis-lost-master.ts';
import { redisSetBack } from './scenarios/redis-set-back.ts';
import { redisThroughput } from './scenarios/redis-throughput.ts';
import { sigterm } from './scenarios/sigterm.ts';
import { slowIndexServer } from './scenarios/slow-index-server.ts';
import { slowSockets } from './scenarios/slow-sockets.ts';
import { supplyChain } from './scenarios/supply-chain.ts';
import { unreadPages } from './scenarios/unread-pages.ts';

export const SCENARIOS: readonly Scenario[] = [
  redisLimits,
  redisBursts,
  redisLostMaster,
  redisFailover,
  redisCannotWrite,
  redisSetBack,
  redisThroughput,
  flood,
  generatedRequests,
  compatRequests,
  costlyRequests,
  slowSockets,
  unreadPages,
  overload,
  chunkedCalls,
  killedProcess,
  crashedThread,
  sigterm,
  killedKeyCommands,
  fullDisk,
  readOnlyState,
  clockJumps,
  brokenFiles,
  longOverlay,
  brokenDownload,
  slowIndexServer,
  supplyChain,
  keySearch, // last, because it searches the outputs of all others
];
