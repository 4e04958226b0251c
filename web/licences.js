/** The licences of the packages in the page's bundle, which must be passed on with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Bundles the page, but is not in the bundle. */
const BUILD_ONLY = ['esbuild'];

/** @fastify/swagger-ui contains Swagger UI without its licence, the text of which opencc-js has. */
const SWAGGER_UI =
  'Swagger UI (Apache-2.0), https://github.com/swagger-api/swagger-ui\n\nCopyright SmartBear Software Inc.';
const APACHE_LICENCE = /** @type {const} */ (['opencc-js', 'LICENSES/Apache-2.0.txt']);

/** @param {string} manifest path of the page's package.json */
export function licenceText(manifest) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  collectInto(texts, manifest);
  const [name, file] = APACHE_LICENCE;
  const apacheLicence = readFileSync(join(dirname(findManifest(name, manifest)), file), 'utf8');
  texts.set('swagger-ui', `${SWAGGER_UI}\n\n${apacheLicence}`);
  return [...texts.values()].join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * @param {Map<string, string>} texts
 * @param {string} manifest
 */
function collectInto(texts, manifest) {
  for (const name of Object.keys(readJson(manifest).dependencies ?? {})) {
    if (texts.has(name) || BUILD_ONLY.includes(name) || name.startsWith('@types/')) continue;
    const found = findManifest(name, manifest);
    const { version, license } = readJson(found);
    texts.set(name, `${name} ${version} (${license})\n\n${licenceFiles(dirname(found))}`);
    collectInto(texts, found);
  }
}

/**
 * Not by `require.resolve`, because packages need not export their package.json.
 *
 * @param {string} name
 * @param {string} importer
 */
function findManifest(name, importer) {
  const folders = createRequire(importer).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name, 'package.json')).find((path) => readIfExists(path));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}

/** @param {string} folder */
function licenceFiles(folder) {
  const names = readdirSync(folder).filter((name) => /^licen[cs]e/i.test(name));
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** @param {string} path */
function readIfExists(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
