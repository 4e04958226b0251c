import { after, type TestContext } from 'node:test';

const cleanUps: (() => unknown)[] = [];
after(async () => {
  const errors: unknown[] = [];
  for (const cleanUp of cleanUps.reverse()) await Promise.try(cleanUp).catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
});

/** In place of a test's context: cleans up after the last test of the file, the newest first. */
export const fileHooks: Pick<TestContext, 'after'> = {
  after: (cleanUp) => void cleanUps.push(cleanUp as () => unknown),
};
