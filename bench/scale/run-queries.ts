/** Creates the queries of a trial; a separate process, because it holds all places. */
import { writeFileSync } from 'node:fs';
import { type BenchPlace, benchPlaces } from '../places.ts';
import { createQueryClasses } from '../queries.ts';
import { openScaleGazetteer } from './gazetteer.ts';

const QUERIES = 2000;

const [folder = '', count = '0', queriesFile = ''] = process.argv.slice(2);
const places: BenchPlace[] = [];
for await (const place of benchPlaces(openScaleGazetteer(folder, Number(count)))) places.push(place);
writeFileSync(queriesFile, JSON.stringify(createQueryClasses(places, QUERIES)));
