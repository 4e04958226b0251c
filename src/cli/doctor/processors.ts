/** Processor cores, for the worker threads. */
import { availableParallelism } from 'node:os';
import type { DoctorContext } from './check.ts';
import { ok, type Verdict, warning } from './finding.ts';

export function checkProcessors({ settings: { threads } }: DoctorContext, cores = availableParallelism()): Verdict[] {
  const message = `${threads} worker ${threads === 1 ? 'thread' : 'threads'}, ${cores} usable ${cores === 1 ? 'core' : 'cores'}`;
  if (threads <= cores) return [ok(message)];
  return [
    warning(message, `Set --threads ${cores}: more threads than cores only take memory and wait for each other.`),
  ];
}
