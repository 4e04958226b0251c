/**
 * Bundles the pages at `/` and `/docs` into web/dist: their HTML, and scripts, styles and the map's
 * data under names with a hash, which browsers may cache for ever. Plain JavaScript, because set-up runs it on
 * Node.js 20.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const WEB = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(WEB);
export const PAGE_FOLDER = join(WEB, 'dist');
const ELEMENT_FILE = 'toponym-search.js';
const STATIC_FILE = 'toponym-static.js';
/** The page that `toponym build --static` writes. */
const STATIC_PAGE = join(ROOT, 'docs', 'static');
/** Stands for the modules of Node.js in the script of the Web Worker. */
const NODE_STUB = join(WEB, 'static', 'node-stub.js');
const STAMP = join(PAGE_FOLDER, '.sources');
/** Everything that the bundle depends on. */
export const SOURCES = [
  'web/build.js',
  'web/world.js',
  'web/labels.js',
  'web/licences.js',
  'web/antimeridian.js',
  'web/package.json',
  'web/package-lock.json',
  'web/index.html',
  'web/docs.html',
  'web/src',
  'web/static',
  'docs/static/index.html',
  'docs/static/offline.js',
  // of the Web Worker
  ...['access', 'client', 'engine', 'gazetteer', 'server'].map((name) => `packages/${name}/package.json`),
  ...['access/src', 'client/src', 'engine/src', 'gazetteer/src/build', 'server/src/http'].map(
    (name) => `packages/${name}`,
  ),
  ...['city-names', 'division-city-names', 'exemplar-cities', 'exonyms', 'timezone-city-names'].map(
    (name) => `tables/${name}.tsv`,
  ),
];

/** Whether web/dist has been built from the sources as they are. */
export function isPageBuilt() {
  return readIfExists(STAMP) === sourcesHash();
}

export async function ensurePage() {
  if (!isPageBuilt()) await buildPage();
}

async function buildPage() {
  const folder = `${PAGE_FOLDER}.${process.pid}`;
  try {
    await buildInto(folder);
    replaceFolder(PAGE_FOLDER, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true }); // of a build that failed
  }
}

/**
 * Another build can write the folder at the same time. The last one wins.
 * @param {string} target
 * @param {string} source
 */
export function replaceFolder(target, source) {
  rmSync(target, { recursive: true, force: true });
  try {
    renameSync(source, target);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOTEMPTY') throw error;
    replaceFolder(target, source);
  }
}

/**
 * Writes the scripts and styles. Returns what esbuild read and wrote.
 * @param {string} folder
 */
export async function bundle(folder) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: WEB,
    entryPoints: {
      page: 'src/page.ts',
      docs: 'src/docs.ts',
      page_style: 'src/page.css',
      docs_style: 'src/docs.css',
      map: 'src/map/map.ts',
      worker: 'maplibre-gl/dist/maplibre-gl-worker.mjs',
    },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: 'shared-[hash]',
    assetNames: '[name]-[hash]',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return metafile;
}

/**
 * Writes the script of `<toponym-search>`, which pages of other origins load.
 * @param {string} folder
 */
async function bundleElement(folder) {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['packages/client/src/search-element.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8', // modules are always UTF-8
    outfile: join(folder, ELEMENT_FILE),
    logLevel: 'warning',
  });
}

/**
 * Writes the script of the Web Worker that searches an index file. It is no module, so that it also runs where
 * Workers cannot be modules, and pages of other origins can import it.
 * @param {string} folder
 */
export async function bundleStatic(folder) {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['web/static/worker.ts'],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    inject: [NODE_STUB], // for the global Buffer
    outfile: join(folder, STATIC_FILE),
    plugins: [
      {
        name: 'node-stub',
        setup({ onResolve }) {
          onResolve({ filter: /^node:|\/node-http\.ts$/ }, () => ({ path: NODE_STUB }));
        },
      },
    ],
    logLevel: 'warning',
  });
}

/** @param {string} folder */
async function buildInto(folder) {
  const { closeWorldJson, worldJson } = await import('./world.js');
  const { labelsJson } = await import('./labels.js');
  const { licenceText } = await import('./licences.js');
  const { outputs } = await bundle(folder);
  await bundleElement(folder);
  const write = (/** @type {string} */ name, /** @type {string} */ content) => {
    const hashed = name.replace('.', `-${hashOf(content)}.`);
    writeFileSync(join(folder, hashed), content);
    return hashed;
  };
  const swagger = (/** @type {string} */ name) => write(name, readFileSync(swaggerFile(name), 'utf8'));
  const nameOf = (/** @type {string} */ entry) => {
    const output = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry));
    if (output === undefined) throw new Error(`esbuild wrote no output for ${entry}`);
    return basename(output[0]);
  };
  /** @type {Record<string, string>} */
  const names = {
    PAGE_STYLE: nameOf('src/page.css'),
    PAGE_SCRIPT: nameOf('src/page.ts'),
    DOCS_STYLE: nameOf('src/docs.css'),
    DOCS_SCRIPT: nameOf('src/docs.ts'),
    MAP_WORKER: nameOf('maplibre-gl-worker.mjs'),
    ICON: write('icon.svg', readFileSync(join(WEB, 'src', 'icon.svg'), 'utf8')),
    WORLD_DATA: write('world.json', worldJson()),
    CLOSE_WORLD: write('close-world.json', closeWorldJson()),
    LABELS: write('labels.json', labelsJson()),
    SWAGGER_STYLE: swagger('swagger-ui.css'),
    SWAGGER_SCRIPT: swagger('swagger-ui-bundle.js'),
  };
  // compressed here, so that the service starts quickly; static sites have a plain copy of the element
  for (const name of readdirSync(folder)) {
    writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(folder, name)), { level: 9 }));
    if (name !== 'toponym-search.js') rmSync(join(folder, name));
  }
  await bundleStatic(join(folder, 'static'));
  for (const name of ['index.html', 'offline.js']) copyFileSync(join(STATIC_PAGE, name), join(folder, 'static', name));
  for (const page of ['index.html', 'docs.html']) {
    const html = readFileSync(join(WEB, page), 'utf8');
    writeFileSync(
      join(folder, page),
      html.replaceAll(/"\/page\/(\w+)"/g, (_, name) => `"/page/${names[name]}"`),
    );
  }
  writeFileSync(join(folder, 'licences.txt'), licenceText(join(WEB, 'package.json')));
  writeFileSync(join(folder, '.sources'), sourcesHash());
}

function sourcesHash() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((path) => filesIn(join(ROOT, path)))) {
    hash.update(`${relative(ROOT, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesIn(path) {
  try {
    return readdirSync(path)
      .sort()
      .flatMap((name) => filesIn(join(path, name)));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOTDIR') return [path];
    throw error;
  }
}

/** @param {string} name */
function swaggerFile(name) {
  return createRequire(import.meta.url).resolve(`@fastify/swagger-ui/static/${name}`);
}

/** @param {string} path */
function readIfExists(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} text */
function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildPage();
