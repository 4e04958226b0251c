import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { openEngine } from 'toponym-engine/open-engine';
import type { Place } from 'toponym-engine/place/place';
import { aGazetteer, aPlace } from '../../../../../test/support/an-engine.ts';
import { buildIndex } from '../../../src/build/build-index.ts';

/** Builds each dataset with the index of the one before as `previous`; returns the last engine. */
async function buildChain(...datasets: readonly (readonly Place[])[]) {
  let bytes: ArrayBuffer | undefined;
  let retired = 0;
  for (const places of datasets) {
    const previous = bytes === undefined ? undefined : openIndex(bytes);
    const built = await buildIndex(aGazetteer(places), undefined, { previous });
    bytes = new Uint8Array(Buffer.concat(built.chunks)).buffer;
    retired = built.report.retired;
  }
  const engine = openEngine(bytes as ArrayBuffer);
  return { retired, successor: (id: string) => engine.get(id)?.supersededBy, engine };
}

const villefort = (id: string, more: Partial<Place> = {}) => aPlace({ id, name: 'Villefort', ...more });
const other = aPlace({ id: 'G900', name: 'Elsewhere', lat: 10, lng: 10 });

test('a missing id redirects to the current id of its settlement', async () => {
  const { successor, retired } = await buildChain([villefort('N1'), other], [villefort('R2'), other]);
  assert.equal(successor('N1'), 'R2');
  assert.equal(successor('R2'), undefined);
  assert.equal(retired, 1);
});

test('a missing id whose settlement is missing too does not exist', async () => {
  const { engine } = await buildChain([villefort('N1'), other], [other]);
  assert.equal(engine.get('N1'), undefined);
});

test('a namesake that the source already had is not a successor unless they share an external id', async () => {
  const apart = [villefort('N1'), villefort('N2', { lat: 47.01 })];
  assert.equal((await buildChain(apart, [apart[1] as Place])).engine.get('N1'), undefined);
  const same = [villefort('N1', { externalIds: ['wd:Q1'] }), villefort('N2', { externalIds: ['wd:Q1'] })];
  assert.equal((await buildChain(same, [same[1] as Place])).successor('N1'), 'N2');
});

test('the id of an embedded place leads to the place that GeoNames has, unless both were there before', async () => {
  const embedded = villefort('C123456789012345');
  const { successor, engine } = await buildChain([embedded, other], [villefort('G4'), other], [villefort('G4')]);
  assert.equal(successor('C123456789012345'), 'G4');
  assert.equal(engine.get('C123456789012345')?.record.objectID, 'G4');
  const namesake = villefort('G4', { lat: 47.01 });
  const both = await buildChain([embedded], [villefort('G4')], [villefort('N9')], [embedded, namesake]);
  assert.equal(both.successor('N9'), 'G4', 'the id of GeoNames is preferred');
  assert.equal((await buildChain([embedded, namesake], [namesake])).engine.get(embedded.id), undefined);
});

test('the id of an embedded place leads to the place that GeoNames has, even if only one of them is a suburban area', async () => {
  const suburb = (id: string) => villefort(id, { type: 'suburban area' });
  assert.equal((await buildChain([suburb('C5'), other], [villefort('G4'), other])).successor('C5'), 'G4');
  assert.equal((await buildChain([villefort('C5'), other], [suburb('G4'), other])).successor('C5'), 'G4');
  const both = [villefort('G4'), suburb('G6'), other];
  assert.equal((await buildChain([suburb('C5'), other], both)).successor('C5'), 'G6', 'the same type is preferred');
  assert.equal((await buildChain([suburb('N5'), other], both)).successor('N5'), 'G6');
  assert.equal((await buildChain([suburb('N5'), other], [villefort('G4'), other])).successor('N5'), undefined);
});

test('a renamed settlement is recognised by its external id', async () => {
  const before = villefort('N1', { externalIds: ['wd:Q5'] });
  const after = aPlace({ id: 'N9', name: 'Newtown', externalIds: ['wd:Q5'] });
  assert.equal((await buildChain([before], [after])).successor('N1'), 'N9');
});

test('ids retired by earlier builds redirect directly to the current place', async () => {
  const { successor, retired } = await buildChain(
    [villefort('N1'), other],
    [villefort('N2'), other],
    [villefort('N3'), other],
    [villefort('G4'), other],
  );
  assert.deepEqual(['N1', 'N2', 'N3'].map(successor), ['G4', 'G4', 'G4']);
  assert.equal(retired, 3);
});

test('the id of a merged record is a place of its own again when the other record is gone', async () => {
  const { successor, engine } = await buildChain([villefort('G1'), villefort('N1')], [villefort('N1'), other]);
  assert.equal(engine.get('N1')?.record.objectID, 'N1');
  assert.equal(successor('N1'), undefined);
});

test('the missing id of a merged place redirects to its other record, even if that is renamed', async () => {
  const before = [villefort('G1'), villefort('N1')];
  assert.equal((await buildChain(before, [aPlace({ id: 'N1', name: 'Newtown' }), other])).successor('G1'), 'N1');
});

test('a retired id that returns in the data is no longer retired', async () => {
  const { successor, engine } = await buildChain([villefort('N1')], [villefort('N2')], [villefort('N1')]);
  assert.equal(engine.get('N1')?.supersededBy, undefined);
  assert.equal(successor('N2'), 'N1');
});

test('rebuilding the same data over its own index gives the same bytes', async () => {
  const places = [villefort('G1'), villefort('N1', { externalIds: ['wd:Q5'] }), other];
  const first = await buildIndex(aGazetteer(places));
  const previous = openIndex(new Uint8Array(Buffer.concat(first.chunks)).buffer);
  const second = await buildIndex(aGazetteer(places), undefined, { previous });
  assert.deepEqual(Buffer.concat(second.chunks), Buffer.concat(first.chunks));
});

test('hundreds of thousands of ids can be retired', async () => {
  const count = 150_000; // more than a call can have arguments
  const built = await buildIndex(aGazetteer([other]));
  const previous = {
    ...openIndex(new Uint8Array(Buffer.concat(built.chunks)).buffer),
    retiredSource: new Uint8Array(count).fill('N'.charCodeAt(0)),
    retiredNumber: Float64Array.from({ length: count }, (_, i) => i + 1),
    retiredPlace: new Uint32Array(count),
  };
  const { report } = await buildIndex(aGazetteer([other]), undefined, { previous });
  assert.equal(report.retired, count);
});

test('malformed ids match no retired id', async () => {
  const { engine } = await buildChain([villefort('N1')], [villefort('N2')]);
  for (const id of ['N01', 'n1', 'N1.0', 'N1 ', 'W1', 'N', 'N18446744073709551617'])
    assert.equal(engine.get(id), undefined, id);
});
