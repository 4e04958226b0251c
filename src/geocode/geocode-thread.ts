/** The thread of geocode-table.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { openEngine } from '../engine/open-engine.ts';
import { loadWorldBorders } from '../place/load-world-borders.ts';
import type { Line } from '../sources/input/lines.ts';
import { createGeocoder } from './geocode-rows.ts';
import type { ThreadData } from './geocode-table.ts';

const { index, task } = workerData as ThreadData;
const geocode = createGeocoder(openEngine(index, { loadBorders: loadWorldBorders }), task);
parentPort?.on('message', (rows: readonly Line[]) => parentPort?.postMessage(geocode(rows)));
