/**
 * Builds the image of deploy/Dockerfile into a folder, without a container engine, and prints the
 * size of each layer: `node deploy/image/build.ts FOLDER [NAME=VALUE…]`, as root on Debian. The
 * values are build arguments.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyContext } from './build-context.ts';
import { type BuildOptions, buildImage, type Image } from './build-image.ts';
import { parseDockerfile } from './dockerfile.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCKERFILE = join(ROOT, 'deploy', 'Dockerfile');

/** Prepares builds of the project's image: parses the Dockerfile and copies its context. */
export async function prepareBuilds(folder: string): Promise<Pick<BuildOptions, 'dockerfile' | 'context' | 'folder'>> {
  mkdirSync(folder, { recursive: true });
  const context = join(folder, 'context');
  await copyContext(ROOT, `${DOCKERFILE}.dockerignore`, context);
  return { dockerfile: parseDockerfile(readFileSync(DOCKERFILE, 'utf8')), context, folder };
}

/** A table of the layers in megabytes (10^6 bytes). */
export function formatLayers({ layers }: Image): string {
  const total = { step: 'total', bytes: layers.reduce((sum, { bytes }) => sum + bytes, 0) };
  return [...layers, total].map(({ step, bytes }) => `${(bytes / 1e6).toFixed(1).padStart(7)} MB  ${step}`).join('\n');
}

if (import.meta.main) {
  const [folder, ...pairs] = process.argv.slice(2);
  const wrong = pairs.find((pair) => !/^\w+=/.test(pair));
  if (folder === undefined || wrong !== undefined) {
    console.error(`usage: node deploy/image/build.ts FOLDER [NAME=VALUE…]${wrong ? `, got ${wrong}` : ''}`);
    process.exitCode = 2;
  } else {
    const buildArgs = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2)));
    const image = await buildImage({
      ...(await prepareBuilds(resolve(folder))),
      buildArgs,
      onStep: (step) => console.error(step),
    });
    console.log(`${formatLayers(image)}\nroot folder: ${image.root}`);
  }
}
