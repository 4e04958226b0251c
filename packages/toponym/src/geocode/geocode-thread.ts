/** The thread of geocode-table.ts. */
import { workerData } from 'node:worker_threads';
import { openEngine } from 'toponym-engine/open-engine';
import { loadWorldBorders } from 'toponym-files/load-world-borders';
import { serveTasks } from 'toponym-files/thread';
import { createGeocoder } from './geocode-rows.ts';
import type { ThreadData } from './geocode-table.ts';

const { index, task } = workerData as ThreadData;
serveTasks(createGeocoder(openEngine(index, { loadBorders: loadWorldBorders }), task));
