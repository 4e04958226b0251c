import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { formatLayers, prepareBuilds } from '../../../deploy/image/build.ts';
import { type BuildOptions, buildImage, type Image } from '../../../deploy/image/build-image.ts';
import { sizeOf } from '../../../deploy/image/size-of.ts';
import { builtIndex } from '../../support/built-index.ts';
import { waitUntil } from '../../support/deadline.ts';
import { type Container, runContainer, startContainer, volumeFolder } from './container.ts';
import { skipImageBuilds } from './image-builds.ts';

const skip = await skipImageBuilds();
const MEGABYTE = 1_000_000;
const BUILD_TIMEOUT_MS = 600_000;
/** A program for Node.js in the container: sends a form to the service and prints the response. */
const CALL = `
  const [url, key, form] = process.argv.slice(1);
  const headers = { 'x-service-key': key, 'content-type': 'application/x-www-form-urlencoded' };
  console.log(await (await fetch(url, { method: 'POST', headers, body: form })).text());
`;

/** A place in GeoNames' format, in the French region 11. */
const GEONAMES_ROW = [
  ...['1', 'Testville', 'Testville', '', '48.8', '2.3', 'P', 'PPL', 'FR', '', '11', '75', '', '', '5000', '', '35'],
  ...['Europe/Paris', '2023-01-01'],
];

describe('the image of deploy/Dockerfile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toponym-image-'));
  let options: BuildOptions;
  let image: Image;

  after(() => rmSync(folder, { recursive: true, force: true }));
  before(
    async () => {
      if (skip !== false) return;
      options = { ...(await prepareBuilds(folder)), done: new Map<string, Image>() };
      image = await buildImage({ ...options, buildArgs: { VERSION: '1.2.3', REVISION: 'abc' } });
    },
    { timeout: BUILD_TIMEOUT_MS },
  );

  test('it has less than 450 MB', { skip }, (context) => {
    context.diagnostic(`\n${formatLayers(image)}`);
    assert.ok(sizeOf(image.root) < 450 * MEGABYTE);
  });

  test('without the IP database it has less than 250 MB, and locates no address', { skip }, async (context) => {
    const small = await buildImage({ ...options, buildArgs: { IP_DATABASE: 'none' } });
    context.diagnostic(`\n${formatLayers(small)}`);
    assert.ok(sizeOf(small.root) < 250 * MEGABYTE);
    const container = await startService(context, small);
    const response = await callQuery(container, { query: 'paris', aroundLatLngViaIP: '8.8.8.8' });
    assert.match(response.message, /^aroundLatLngViaIP: 8\.8\.8\.8 could not be located/);
    assert.equal(container.log.text, '');
  });

  test('another value of IP_DATABASE is refused', { skip }, async () => {
    await assert.rejects(
      buildImage({ ...options, buildArgs: { IP_DATABASE: 'all' } }),
      /IP_DATABASE must be none or not set, got all/,
    );
  });

  test('its configuration names user, port, volume, command and labels', { skip }, () => {
    const { user, ports, volumes, entrypoint, command, stopSignal, labels, workdir } = image.config;
    assert.deepEqual(
      { user, ports, volumes, entrypoint, command, stopSignal, workdir },
      {
        user: '65532:65532',
        ports: ['8443'],
        volumes: ['/state'],
        entrypoint: ['toponym'],
        command: ['serve', '--json'],
        stopSignal: 'SIGTERM',
        workdir: '/app',
      },
    );
    assert.equal(labels.get('org.opencontainers.image.version'), '1.2.3');
    assert.equal(labels.get('org.opencontainers.image.revision'), 'abc');
    assert.equal(labels.get('org.opencontainers.image.licenses'), 'MIT');
  });

  test('its files belong to root and only root can write them, except /tmp and /state', { skip }, () => {
    const writable = filesOf(image).filter((path) => {
      const stats = lstatSync(join(image.root, path));
      const isWritable = !stats.isSymbolicLink() && (stats.mode & 0o022) !== 0;
      return stats.uid !== 0 || stats.gid !== 0 || isWritable;
    });
    assert.deepEqual(writable, ['state', 'tmp']);
    assert.deepEqual(readdirSync(join(image.root, 'state')), []);
    assert.deepEqual(readdirSync(join(image.root, 'tmp')), []);
  });

  test('it has no shell, no npm and no development dependency', { skip }, () => {
    const programs = filesOf(image).filter((path) => {
      const stats = lstatSync(join(image.root, path));
      return stats.isFile() && (stats.mode & 0o111) !== 0 && !path.startsWith('app/node_modules/');
    });
    const libraries = programs.filter((path) => /^usr\/lib(64)?\/.*\.so(\.\d+)*$/.test(path));
    assert.deepEqual(
      programs.filter((path) => !libraries.includes(path)),
      ['app/bin/toponym.js', 'usr/local/bin/node'],
    );
    const lock = JSON.parse(readFileSync(join(options.context, 'package-lock.json'), 'utf8'));
    const packages = filesOf(image).filter((path) => /node_modules\/(@[^/]+\/)?[^/@.][^/]*$/.test(path));
    assert.ok(packages.includes('app/node_modules/commander'));
    assert.deepEqual(
      packages.filter((path) => lock.packages[relative('app', path)]?.dev !== undefined),
      [],
    );
  });

  test('it has the licences of its packages, but no other documentation, no types and no source maps', { skip }, () => {
    const files = filesOf(image).filter((path) => path.startsWith('app/'));
    const superfluous = files.filter((path) => /\.(map|[cm]?ts|md)$/i.test(path) && !/licen[cs]e|notice/i.test(path));
    assert.deepEqual(superfluous, []);
    assert.ok(files.includes('app/node_modules/commander/LICENSE'));
  });

  test('its index is the index of the embedded data', { skip }, async () => {
    assert.equal(hashOf(join(image.root, 'app', 'embedded.toponym')), hashOf(await builtIndex()));
  });

  test('it serves on all addresses with a read-only root, without capabilities or a network', {
    skip,
  }, async (context) => {
    const filesBefore = filesWithTimes(image);
    const container = await startService(context, image);
    const status = readFileSync(`/proc/${container.pid}/status`, 'utf8');
    assert.match(status, /^Uid:\s+65532\s+65532\s+65532\s+65532$/m);
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
      assert.match(status, new RegExp(`^${set}:\\s+0+$`, 'm'));
    assert.match(status, /^NoNewPrivs:\s+1$/m);
    assert.match(readFileSync(`/proc/${container.pid}/mounts`, 'utf8'), /^\S+ \/ \S+ ro,/m);
    assert.match(readFileSync(`/proc/${container.pid}/net/tcp`, 'utf8'), / 00000000:20FB /); // 0.0.0.0:8443

    const { hits, dataset } = await callQuery(container, { query: 'paris fr' });
    assert.equal(hits[0].objectID, 'G2988507');
    assert.match(dataset.version, /geonames-cities500/);
    const located = await callQuery(container, { query: 'paris', aroundLatLngViaIP: '8.8.8.8' });
    assert.ok(located.aroundLatLng, 'the IP database locates an address');

    process.kill(container.pid, 'SIGTERM');
    assert.equal(await container.ended(), 0);
    assert.deepEqual(readdirSync(container.state).sort(), ['first-key.txt', 'keys.sqlite', 'tls']);
    assert.deepEqual(filesWithTimes(image), filesBefore);
  });

  test('a start builds no index and compiles nothing', { skip }, async (context) => {
    const startedMs = performance.now();
    const container = await startService(context, image);
    context.diagnostic(`ready in ${(performance.now() - startedMs).toFixed()} ms, with a new certificate and key`);
    assert.deepEqual(readdirSync(`/proc/${container.pid}/root/tmp`), []);

    const traced = await startService(context, image, { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
    process.kill(traced.pid, 'SIGTERM');
    assert.equal(await traced.ended(), 0);
    const linesWith = (part: string) => traced.log.lines.filter((line) => line.includes(part));
    assert.ok(linesWith('was accepted').length > 100, traced.log.text);
    assert.deepEqual(linesWith('was rejected'), []);
    assert.deepEqual(linesWith('Creating temporary file'), []); // for code that the cache lacks
  });

  test('the health check passes while the service is ready and fails while it drains', { skip }, async (context) => {
    const container = await startService(context, image, { TOPONYM_DRAIN_GRACE_SECONDS: '600' });
    assert.deepEqual(await container.checkHealth(), { code: 0, stdout: '', stderr: '' });
    process.kill(container.pid, 'SIGTERM');
    let failed = await container.checkHealth();
    await waitUntil('the health check fails', async () => {
      failed = await container.checkHealth();
      return failed.code !== 0;
    });
    assert.deepEqual(failed, {
      code: 1,
      stdout: '',
      stderr: 'toponym: the service is not ready: /readyz answers 503\n',
    });
  });

  test('the health check finds the port in the flags of the service', { skip }, async (context) => {
    const container = await startService(context, image, {}, ['--port', '9650', '--host', '::']);
    assert.match(container.output.text, /:9650"/);
    assert.equal((await container.checkHealth()).code, 0);
  });

  test('the health check fails if there is no service', { skip }, async (context) => {
    const { code, stderr } = await runContainer(context, image, { entrypoint: image.config.healthCheck, args: [] });
    assert.equal(code, 1);
    assert.match(stderr, /^toponym: the service is not ready: connect ECONNREFUSED 127.0.0.1:8443$/);
  });

  test('commands work in a running container and in one of their own', { skip }, async (context) => {
    const container = await startService(context, image);
    const { stdout } = await container.exec(['toponym', 'keys', 'create', '--label', 'site', '--json']);
    const { hits } = await callQuery(container, { query: 'lyon' }, JSON.parse(stdout).key);
    assert.equal(hits[0].name, 'Lyon');

    const query = await runContainer(context, image, { args: ['query', 'sprngfield', 'il'] });
    assert.equal(query.code, 0, query.stderr);
    assert.match(query.stdout, /Springfield, Illinois/);
    const shell = await container.exec(['sh', '-c', 'true']);
    assert.match(shell.stderr, /sh: No such file or directory/);
  });

  test('an index built in a container is served from the volume, with names of divisions', {
    skip,
  }, async (context) => {
    const state = volumeFolder(context);
    writeFileSync(join(state, 'places.txt'), `${GEONAMES_ROW.join('\t')}\n`);
    const args = ['build', '--from', 'geonames', '/state/places.txt', '--out', '/state/my.toponym'];
    const build = await runContainer(context, image, { args, state });
    assert.equal(build.code, 0, build.stderr);
    const container = await startService(context, image, { TOPONYM_INDEX: '/state/my.toponym' }, [], state);
    const { hits } = await callQuery(container, { query: 'testville' });
    assert.equal(hits[0].name, 'Testville');
    assert.deepEqual(hits[0].administrative, ['Île-de-France']); // from the names in the image
  });

  test('an updated index in the volume is served without a setting, and the embedded one on request', {
    skip,
  }, async (context) => {
    const state = volumeFolder(context);
    mkdirSync(join(state, 'index'));
    chownSync(join(state, 'index'), 65_532, 65_532);
    writeFileSync(join(state, 'places.txt'), `${GEONAMES_ROW.join('\t')}\n`);
    // containers have no network, so this is what `toponym update` would write
    const args = ['build', '--from', 'geonames', '/state/places.txt', '--out', '/state/index/updated.toponym'];
    const build = await runContainer(context, image, { args, state });
    assert.equal(build.code, 0, build.stderr);
    const container = await startService(context, image, {}, [], state);
    assert.equal((await callQuery(container, { query: 'testville' })).hits[0].name, 'Testville');
    const embedded = await container.exec(['toponym', 'query', 'paris', '--index', 'embedded', '--json']);
    assert.equal(JSON.parse(embedded.stdout).hits[0].objectID, 'G2988507');
  });
});

async function startService(
  context: Parameters<typeof startContainer>[0],
  image: Image,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
  state = volumeFolder(context),
): Promise<Container> {
  const container = await startContainer(context, image, { args: ['serve', '--json', ...flags], env, state });
  await container.output.contains('"url"');
  return container;
}

/** Calls the service from its own container, with the first key unless another is given. */
async function callQuery(container: Container, form: Record<string, string>, key = firstKey(container)) {
  const args = ['https://127.0.0.1:8443/api/1/query', key, new URLSearchParams(form).toString()];
  const env = { NODE_EXTRA_CA_CERTS: '/state/tls/cert.pem' };
  const { stdout, stderr } = await container.exec(['node', '--input-type=module', '--eval', CALL, ...args], env);
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

function firstKey({ state }: Container): string {
  return readFileSync(join(state, 'first-key.txt'), 'utf8').trim();
}

/** Relative paths of all files and folders, without the mount points that a container adds. */
function filesOf({ root }: Image): string[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  // lib and lib64 are links to folders in usr
  return paths.filter((path) => !/^((dev|proc)(\/|$)|lib(64)?\/)/.test(path)).sort();
}

function filesWithTimes(image: Image): string[] {
  return filesOf(image).map((path) => {
    const { mtimeMs, size, mode } = lstatSync(join(image.root, path));
    return `${path} ${mtimeMs} ${size} ${mode}`;
  });
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
