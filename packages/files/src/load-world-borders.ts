/** The world's borders, loaded once per thread, when they are first needed. */
import { createRequire } from 'node:module';
import {
  type BorderTables,
  type CountryCoder,
  createBorderTables,
  openWorldBorders,
  type WorldBorders,
} from 'toponym-engine/place/world-borders';

const require = createRequire(import.meta.url);

let loaded: WorldBorders | undefined;

export function loadWorldBorders(): WorldBorders {
  loaded ??= openWorldBorders(loadBorderTables());
  return loaded;
}

export function loadBorderTables(): BorderTables {
  return createBorderTables(require('@rapideditor/country-coder') as CountryCoder);
}
