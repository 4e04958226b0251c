/** Loads the world's borders in Node.js, once per thread and only when they are first needed. */
import { createRequire } from 'node:module';
import {
  type BorderTables,
  type CountryCoder,
  createBorderTables,
  openWorldBorders,
  type WorldBorders,
} from './world-borders.ts';

const require = createRequire(import.meta.url);

let loaded: WorldBorders | undefined;

export function loadWorldBorders(): WorldBorders {
  loaded ??= openWorldBorders(loadBorderTables());
  return loaded;
}

export function loadBorderTables(): BorderTables {
  return createBorderTables(require('@rapideditor/country-coder') as CountryCoder);
}
