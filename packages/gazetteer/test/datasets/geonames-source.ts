/** A small dump folder of GeoNames on the loopback address. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Responder, status, wellServed } from '../fetch/file-server.ts';
import { writeZip } from '../sources/input/write-zip.ts';

const FIXTURES = fileURLToPath(new URL('../../../../test/fixtures/sources/geonames', import.meta.url));
export const TABLES = ['admin1CodesASCII.txt', 'admin2Codes.txt', 'countryInfo.txt'];

export function fixture(name: string): Buffer {
  return readFileSync(join(FIXTURES, name));
}

/** A handler per path, which a test may replace. */
export function geonames(): Map<string, Responder> {
  const dump = fixture('LI.txt');
  const names = fixture('alternateNamesV2.txt');
  return new Map<string, Responder>([
    ...TABLES.map((name) => [`/${name}`, wellServed(fixture(name))] as const),
    ['/cities500.zip', wellServed(writeZip({ name: 'cities500.txt', content: dump }))],
    ['/LI.zip', wellServed(writeZip({ name: 'LI.txt', content: dump }, { name: 'readme.txt', content: 'About' }))],
    ['/alternateNamesV2.zip', wellServed(writeZip({ name: 'alternateNamesV2.txt', content: names }))],
    ['/alternatenames/LI.zip', wellServed(writeZip({ name: 'LI.txt', content: names }))],
  ]);
}

export function serving(files: ReadonlyMap<string, Responder>, requested: string[] = []): Responder {
  return (request, response) => {
    requested.push(request.url ?? '');
    (files.get(request.url ?? '') ?? status(404))(request, response);
  };
}
