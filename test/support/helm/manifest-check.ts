/**
 * Strict checks of manifests against the Kubernetes API. The validators of kubernetes-models check
 * types, formats and required fields, and the TypeScript compiler refuses unknown fields.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../temporary-folder.ts';
import type { Manifest } from './chart-renderer.ts';

const NODE_MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const TSC = join(NODE_MODULES, 'typescript', 'bin', 'tsc');
const TSC_OPTIONS = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--pretty', 'false'];

/** Returns the problems, each with the name of its manifest. The compiler takes a second per call. */
export async function findProblems(context: TestContext, manifests: readonly Manifest[]): Promise<string[]> {
  const invalid = await Promise.all(manifests.map(findInvalidFields));
  return [...invalid.flat(), ...(await findUnknownFields(context, manifests))];
}

async function findInvalidFields(manifest: Manifest): Promise<string[]> {
  try {
    const models = await import(modelsOf(manifest));
    new models[manifest.kind](manifest).validate();
    return [];
  } catch (error) {
    return [`${nameOf(manifest)}: ${(error as Error).message}`];
  }
}

/** Writes each manifest as a typed constant, because the compiler refuses unknown fields there. */
async function findUnknownFields(context: TestContext, manifests: readonly Manifest[]): Promise<string[]> {
  const folder = temporaryFolder(context);
  symlinkSync(NODE_MODULES, join(folder, 'node_modules'));
  const sources = manifests.map((manifest, i) => {
    const source = join(folder, String(i), `${nameOf(manifest)}.mts`);
    mkdirSync(join(folder, String(i)));
    writeFileSync(
      source,
      `import type { I${manifest.kind} } from '${modelsOf(manifest)}';
export const manifest: I${manifest.kind} = ${JSON.stringify(manifest, null, 2)};\n`,
    );
    return source;
  });
  try {
    await promisify(execFile)(process.execPath, [TSC, ...TSC_OPTIONS, ...sources], { cwd: folder });
    return [];
  } catch (error) {
    const lines = (error as { stdout: string }).stdout.split('\n');
    return lines.filter((line) => /^\S/.test(line));
  }
}

function modelsOf({ apiVersion }: Manifest): string {
  const isPrometheus = apiVersion.startsWith('monitoring.coreos.com/');
  return `${isPrometheus ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}`;
}

function nameOf({ kind, metadata }: Manifest): string {
  return `${kind}-${metadata?.name}`;
}
