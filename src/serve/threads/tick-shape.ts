/**
 * Keeps `process.nextTick` as fast as it is at first. Node makes an object for each call, and V8 remembers their shape only
 * while there is one: a full collection at a moment without any makes it forget, and from then on each of these objects is
 * made the slow way, for as long as the thread runs. Every request needs several. So one is held for good.
 */
import { createHook } from 'node:async_hooks';

let held: object | undefined;

/** Returns what is held. */
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
