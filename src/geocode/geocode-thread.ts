/** The thread of geocode-table.ts. */
import { workerData } from 'node:worker_threads';
import { openEngine } from '../engine/open-engine.ts';
import { loadWorldBorders } from '../place/load-world-borders.ts';
import { serveTasks } from '../thread.ts';
import { createGeocoder } from './geocode-rows.ts';
import type { ThreadData } from './geocode-table.ts';

const { index, task } = workerData as ThreadData;
export const geocode = createGeocoder(openEngine(index, { loadBorders: loadWorldBorders }), task);
serveTasks(geocode);
