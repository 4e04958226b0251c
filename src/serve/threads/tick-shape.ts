/**
 * Keeps `process.nextTick` fast. Node creates an object per call, and V8 forgets the objects' shape
 * if a full collection finds none of them alive; every later one is then created the slow way. Each
 * request needs several, so one is retained for the lifetime of the thread.
 */
import { createHook } from 'node:async_hooks';

let held: object | undefined;

/** Returns the retained object. */
export function holdTickShape(): object | undefined {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') held = resource;
    },
  });
  hook.enable();
  process.nextTick(() => {});
  hook.disable();
  return held;
}
