import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { builtIndex } from '../support/built-index.ts';
import { waitUntil } from '../support/deadline.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Container, ContainerEngine, mustSucceed, type Run, skipContainers } from './container-engine.ts';

const skip = skipContainers();
const MEGABYTE = 1_000_000;
/** Builds take two minutes on a quiet machine, longer than the tests for which the default limit is. */
const MAX_BUILD_MS = 1_200_000;
/** A program for Node.js in the container: sends a form to the service and prints the response. */
const CALL = `
  import { readFileSync } from 'node:fs';
  const [form, key = readFileSync('/state/first-key.txt', 'utf8').trim()] = process.argv.slice(1);
  const headers = { 'x-service-key': key, 'content-type': 'application/x-www-form-urlencoded' };
  const call = () => fetch('https://127.0.0.1:8443/api/1/query', { method: 'POST', headers, body: form });
  let response = await call();
  while (response.status === 503) response = await call(); // a busy machine
  console.log(await response.text());
`;

/** A place in GeoNames' format, in the French region 11. */
function geonamesRow(name: string): string {
  const numbers = ['48.8', '2.3', 'P', 'PPL', 'FR', '', '11', '75', '', '', '5000', '', '35'];
  return ['1', name, name, '', ...numbers, 'Europe/Paris', '2023-01-01'].join('\t');
}

describe('the image of deploy/Dockerfile', { skip }, () => {
  let engine: ContainerEngine;
  /** The files of the image. */
  let root: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields they expect
  let facts: any;

  before(
    async () => {
      engine = new ContainerEngine();
      await engine.importBase();
      mustSucceed(await engine.build('toponym', { VERSION: '1.2.3', REVISION: 'abc' }));
      [facts] = JSON.parse(mustSucceed(await engine.podman(['image', 'inspect', 'toponym'])));
      root = mustSucceed(await engine.podman(['image', 'mount', 'toponym']));
    },
    { timeout: MAX_BUILD_MS },
  );
  after(() => engine.remove());

  test('it has less than 450 MB', () => {
    assert.ok(facts.Size < 450 * MEGABYTE, String(facts.Size));
  });

  test('without the IP database it has less than 270 MB, and locates no address', {
    timeout: MAX_BUILD_MS,
  }, async (context) => {
    mustSucceed(await engine.build('toponym-small', { IP_DATABASE: 'none' }));
    const size = mustSucceed(await engine.podman(['image', 'inspect', '--format', '{{.Size}}', 'toponym-small']));
    assert.ok(Number(size) < 270 * MEGABYTE, size);
    const service = await startService(context, { image: 'toponym-small' });
    const response = await callQuery(service, { query: 'paris', aroundLatLngViaIP: '8.8.8.8' });
    assert.match(response.message, /^aroundLatLngViaIP: 8\.8\.8\.8 could not be located/);
    assert.equal(service.log.text, '');
  });

  test('another value of IP_DATABASE is refused', { timeout: MAX_BUILD_MS }, async () => {
    const { code, stderr } = await engine.build('toponym-all', { IP_DATABASE: 'all' });
    assert.notEqual(code, 0);
    assert.match(stderr, /IP_DATABASE must be none or not set, got all/);
  });

  test('its configuration names user, port, volume, command and labels', () => {
    const { User, ExposedPorts, Volumes, Entrypoint, Cmd, StopSignal, WorkingDir, Labels } = facts.Config;
    assert.deepEqual(
      { User, ExposedPorts, Volumes, Entrypoint, Cmd, StopSignal, WorkingDir },
      {
        User: '65532:65532',
        ExposedPorts: { '8443/tcp': {} },
        Volumes: { '/state': {} },
        Entrypoint: ['toponym'],
        Cmd: ['serve', '--json'],
        StopSignal: 'SIGTERM',
        WorkingDir: '/app',
      },
    );
    assert.equal(Labels['org.opencontainers.image.version'], '1.2.3');
    assert.equal(Labels['org.opencontainers.image.revision'], 'abc');
    assert.equal(Labels['org.opencontainers.image.licenses'], 'MIT');
  });

  test('its files belong to root and only root can write them, except /tmp and /state', () => {
    const writable = filesOf(root).filter((path) => {
      const stats = lstatSync(join(root, path));
      const isWritable = !stats.isSymbolicLink() && (stats.mode & 0o022) !== 0;
      return stats.uid !== 0 || stats.gid !== 0 || isWritable;
    });
    assert.deepEqual(writable, ['state', 'tmp']);
    assert.deepEqual(readdirSync(join(root, 'state')), []);
    assert.equal(lstatSync(join(root, 'state')).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(join(root, 'tmp')), []);
  });

  test('it has no shell, no npm and no development dependency', () => {
    const programs = filesOf(root).filter((path) => {
      const stats = lstatSync(join(root, path));
      return stats.isFile() && (stats.mode & 0o111) !== 0 && !path.startsWith('app/node_modules/');
    });
    const libraries = programs.filter((path) => /^usr\/lib(64)?\/.*\.so(\.\d+)*$/.test(path));
    assert.deepEqual(
      programs.filter((path) => !libraries.includes(path)),
      ['app/bin/toponym.js', 'usr/local/bin/node'],
    );
    const lock = JSON.parse(readFileSync(join(root, 'app/package-lock.json'), 'utf8'));
    const packages = filesOf(root).filter((path) => /node_modules\/(@[^/]+\/)?[^/@.][^/]*$/.test(path));
    assert.ok(packages.includes('app/node_modules/commander'));
    assert.deepEqual(
      packages.filter((path) => lock.packages[relative('app', path)]?.dev !== undefined),
      [],
    );
  });

  test('it has the licences of its packages, but no other documentation, no types and no source maps', () => {
    const files = filesOf(root).filter((path) => path.startsWith('app/'));
    const superfluous = files.filter((path) => /\.(map|[cm]?ts|md)$/i.test(path) && !/licen[cs]e|notice/i.test(path));
    assert.deepEqual(superfluous, []);
    assert.ok(files.includes('app/node_modules/commander/LICENSE'));
  });

  test('its index is the index of the embedded data', async () => {
    assert.equal(hashOf(join(root, 'app/embedded.toponym')), hashOf(await builtIndex()));
  });

  test('it serves on all addresses with a read-only root, without capabilities or a network', async (context) => {
    const service = await startService(context);
    const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
    assert.match(status, /^Uid:\s+65532\s+65532\s+65532\s+65532$/m);
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
      assert.match(status, new RegExp(`^${set}:\\s+0+$`, 'm'));
    assert.match(status, /^NoNewPrivs:\s+1$/m);
    assert.match(readFileSync(`/proc/${service.pid}/mounts`, 'utf8'), /^\S+ \/ \S+ ro,/m);
    assert.match(readFileSync(`/proc/${service.pid}/net/tcp`, 'utf8'), / 00000000:20FB /); // 0.0.0.0:8443

    const { hits, dataset } = await callQuery(service, { query: 'paris fr' });
    assert.equal(hits[0].objectID, 'G2988507');
    assert.match(dataset.version, /geonames-cities500/);
    const located = await callQuery(service, { query: 'paris', aroundLatLngViaIP: '8.8.8.8' });
    assert.ok(located.aroundLatLng, 'the IP database locates an address');

    const folder = temporaryFolder(context);
    mustSucceed(await engine.podman(['cp', `${service.name}:/state/first-key.txt`, folder]));
    const firstKey = readFileSync(join(folder, 'first-key.txt'), 'utf8').trim();
    assert.equal((await callQuery(service, { query: 'lyon' }, firstKey)).hits[0].name, 'Lyon');
    const created = await service.exec(['toponym', 'keys', 'create', '--label', 'site', '--json']);
    const { key } = JSON.parse(mustSucceed(created));
    assert.equal((await callQuery(service, { query: 'lyon' }, key)).hits[0].name, 'Lyon');
    assert.match((await service.exec(['sh', '-c', 'true'])).stderr, /"sh": executable file not found/);
  });

  test('a start builds no index and compiles nothing, and a stop ends with exit code 0', async (context) => {
    const state = volumeFolder(context);
    const options = ['--volume', `${state}:/state`, '--env', 'NODE_DEBUG_NATIVE=COMPILE_CACHE'];
    const service = await startService(context, { options });
    assert.deepEqual(readdirSync(`/proc/${service.pid}/root/tmp`), []);
    assert.equal(await service.stop(), 0);
    assert.deepEqual(readdirSync(state).sort(), ['first-key.txt', 'keys.sqlite', 'tls']);
    const linesWith = (part: string) => service.log.lines.filter((line) => line.includes(part));
    assert.ok(linesWith('was accepted').length > 100, service.log.text);
    assert.deepEqual(linesWith('was rejected'), []);
    assert.deepEqual(linesWith('Creating temporary file'), []); // for code that the cache lacks
  });

  test('the health check passes while the service is ready and fails while it drains', async (context) => {
    const service = await startService(context, {
      args: ['serve', '--json', '--port', '9650', '--host', '::'],
      options: ['--env', 'TOPONYM_DRAIN_GRACE_SECONDS=600'],
    });
    assert.match(service.output.text, /:9650"/); // the health check finds the port in the flags
    const check = ['healthcheck', 'run', service.name];
    // on a busy machine a check may take longer than its 5 seconds, and the engine checks again
    await waitUntil('the health check passes', async () => (await engine.podman(check)).code === 0);
    process.kill(service.pid, 'SIGTERM');
    await waitUntil('the health check fails', async () => (await engine.podman(check)).code !== 0);
    const { stderr } = await service.exec(facts.Healthcheck.Test.slice(1));
    assert.match(stderr, /^toponym: the service is not ready: \/readyz answers 503/);
  });

  test('the health check fails if there is no service', async () => {
    const [, entrypoint, ...args] = facts.Healthcheck.Test;
    const { code, stderr } = await engine.run({ image: 'toponym', args, options: ['--entrypoint', entrypoint] });
    assert.deepEqual([code, stderr], [1, 'toponym: the service is not ready: connection refused (127.0.0.1:8443)\n']);
  });

  test('a command works in a container of its own', async () => {
    const query = await engine.run({ image: 'toponym', args: ['query', 'sprngfield', 'il'] });
    assert.match(mustSucceed(query), /Springfield, Illinois/);
    // hints name the command as it is called here
    const { stderr: wrongId } = await engine.run({ image: 'toponym', args: ['get', 'paris'] });
    assert.match(wrongId, /; to find a place by its name: toponym query paris$/m);
    const { stderr: wrongFlag } = await engine.run({ image: 'toponym', args: ['query', '--wrong'] });
    assert.match(wrongFlag, /^See: toponym query --help$/m);
  });

  test('an updated index in the volume is served without a setting; another one there, or the embedded one, on request', async (context) => {
    const state = volumeFolder(context);
    mkdirSync(join(state, 'index'));
    chownSync(join(state, 'index'), 65_532, 65_532);
    const options = ['--volume', `${state}:/state`];
    // containers have no network, so this also writes what `toponym update` would write
    const build = async (name: string, out: string) => {
      writeFileSync(join(state, 'places.txt'), `${geonamesRow(name)}\n`);
      const args = ['build', '--from', 'geonames', '/state/places.txt', '--out', out];
      mustSucceed(await engine.run({ image: 'toponym', args, options }));
    };
    await build('Testville', '/state/index/updated.toponym');
    const updated = await startService(context, { options });
    const { hits } = await callQuery(updated, { query: 'testville' });
    assert.equal(hits[0].name, 'Testville');
    assert.deepEqual(hits[0].administrative, ['Île-de-France']); // from the names in the image
    const withoutSource = await updated.exec(['toponym', 'build', '--out', '/state/x.toponym']);
    assert.equal(withoutSource.code, 2);
    assert.match(withoutSource.stderr, /^toponym: there is no embedded source data here; name files with --from\.\n$/m);
    const embedded = await updated.exec(['toponym', 'query', 'paris', '--json'], { TOPONYM_INDEX: 'embedded' });
    assert.equal(JSON.parse(mustSucceed(embedded)).hits[0].objectID, 'G2988507');
    assert.equal(await updated.stop(), 0);

    await build('Ownville', '/state/my.toponym');
    const own = await startService(context, { options: [...options, '--env', 'TOPONYM_INDEX=/state/my.toponym'] });
    assert.equal((await callQuery(own, { query: 'ownville' })).hits[0].name, 'Ownville');
  });

  async function startService(context: TestContext, run: Partial<Run> = {}): Promise<Container> {
    const service = await engine.start(context, { image: 'toponym', ...run });
    await service.output.contains('"url"');
    return service;
  }
});

/** Calls the service from its own container, with the first key unless another is given. */
async function callQuery(service: Container, form: Record<string, string>, ...key: readonly string[]) {
  const args = ['--input-type=module', '--eval', CALL, new URLSearchParams(form).toString(), ...key];
  const { stdout, stderr } = await service.exec(['node', ...args], { NODE_EXTRA_CA_CERTS: '/state/tls/cert.pem' });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

/** A folder of this machine that the image's user can write. */
function volumeFolder(context: Pick<TestContext, 'after'>): string {
  const folder = temporaryFolder(context);
  chownSync(folder, 65_532, 65_532);
  return folder;
}

/** Relative paths of all files and folders. */
function filesOf(root: string): string[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => !/^lib(64)?\//.test(path)).sort(); // links to folders in usr
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
