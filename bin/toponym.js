#!/usr/bin/env node
/**
 * The `toponym` command. A clone has the program as TypeScript in packages/, the published package as
 * JavaScript in dist/. Plain JavaScript that an old Node.js can run, to say that it is too old.
 */
import { existsSync } from 'node:fs';

const isClone = existsSync(new URL('../packages/', import.meta.url));
await import(isClone ? '../packages/toponym/src/cli/launcher.js' : '../dist/toponym/cli/launcher.js');
