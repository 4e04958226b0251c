/** Makes the questions for a trial of scale, in a process of its own because it holds all places. */
import { writeFileSync } from 'node:fs';
import { type BenchPlace, benchPlaces } from '../places.ts';
import { makeQueryClasses } from '../queries.ts';
import { openScaleGazetteer } from './gazetteer.ts';

const QUERIES = 2000;

const [folder = '', count = '0', queriesFile = ''] = process.argv.slice(2);
const places: BenchPlace[] = [];
for await (const place of benchPlaces(openScaleGazetteer(folder, Number(count)))) places.push(place);
writeFileSync(queriesFile, JSON.stringify(makeQueryClasses(places, QUERIES)));
