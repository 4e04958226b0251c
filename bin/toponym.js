#!/usr/bin/env node
/**
 * The `toponym` command. A clone has the program as TypeScript in src/, the published package as
 * JavaScript in dist/. Plain JavaScript that an old Node.js can run, to say that it is too old.
 */
import { existsSync } from 'node:fs';

const isClone = existsSync(new URL('../src/', import.meta.url));
await import(isClone ? '../src/cli/launcher.js' : '../dist/cli/launcher.js');
