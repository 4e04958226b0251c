/** The program under test, and the environment that it gets from tests. */
import { fileURLToPath } from 'node:url';

export const PROGRAM = fileURLToPath(new URL('../../packages/toponym/src/cli/main.js', import.meta.url));

/** Replaces the user's cache, which tests must not touch. */
export const TEST_CACHE = fileURLToPath(new URL('../../node_modules/.cache/toponym-test', import.meta.url));

/**
 * Environment of a program under test. It lacks npm's variables, which make a service watch its
 * parent, the settings of this machine, and FORCE_COLOR, which Node's test runner sets on a
 * terminal. Port 0 makes tests independent of port 8443.
 */
export function testEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|TOPONYM_|NO_COLOR$|FORCE_COLOR$)/.test(name),
  );
  return { ...Object.fromEntries(inherited), TOPONYM_PORT: '0', XDG_CACHE_HOME: TEST_CACHE, LOCALAPPDATA: TEST_CACHE };
}
