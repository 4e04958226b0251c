/** The tarballs that `npm run pack` makes, and projects that install it. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { oncePerRun } from '../support/once-per-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand } from './run-command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { name: string; version: string };
/** As awkward as the paths of some users. */
const PROJECT = 'my projects ü 東京';
/** Turns off what tests do not need. */
export const NPM_INSTALL = ['install', '--no-audit', '--no-fund', '--prefer-offline'];

/** Builds and packs the package, once per run. Returns the path of the tarball. */
export async function packToponym(): Promise<string> {
  return join(await packedPackages(), `${MANIFEST.name}-${MANIFEST.version}.tgz`);
}

/** The same of packages/client. */
export async function packClient(): Promise<string> {
  return join(await packedPackages(), `toponym-client-${MANIFEST.version}.tgz`);
}

/** The same of packages/engine/published. */
export async function packEngine(): Promise<string> {
  return join(await packedPackages(), `toponym-engine-${MANIFEST.version}.tgz`);
}

/** A folder with all tarballs. */
export async function packedPackages(): Promise<string> {
  return await oncePerRun('packed', async (folder) => {
    await runCommand(ROOT, 'npm', ['run', 'pack', '--', '--out', folder]);
  });
}

/** A project with a copy of the client that npm has installed once per run, removed when the test ends. */
export async function projectWithClient(context: Pick<TestContext, 'after'>): Promise<string> {
  return await projectWith(context, await packClient());
}

/** The same with only the engine. */
export async function projectWithEngine(context: Pick<TestContext, 'after'>): Promise<string> {
  return await projectWith(context, await packEngine());
}

async function projectWith(context: Pick<TestContext, 'after'>, tarball: string): Promise<string> {
  const installed = await oncePerRun(`installed-${basename(tarball)}`, async (folder) => {
    await runCommand(createProject(folder), 'npm', [...NPM_INSTALL, '--offline', tarball]);
  });
  const project = emptyProject(context);
  cpSync(join(installed, PROJECT), project, { recursive: true });
  return project;
}

/**
 * A project in which npm has installed all packages, without optional dependencies. All tests of a run
 * share it, so they must not change it.
 */
export async function installedProject(): Promise<string> {
  const tarballs = [await packToponym(), await packClient(), await packEngine()];
  const folder = await oncePerRun('installed', async (folder) => {
    await runCommand(createProject(folder), 'npm', [...NPM_INSTALL, '--omit=optional', ...tarballs]);
  });
  return join(folder, PROJECT);
}

/**
 * A folder in which npm has installed the package as with `--global`, with optional dependencies: `bin/toponym`
 * runs it. All tests of a run share it.
 */
export async function globalInstallation(): Promise<string> {
  const tarball = await packToponym();
  return await oncePerRun('global', async (folder) => {
    await runCommand(folder, 'npm', [...NPM_INSTALL, '--global', '--prefix', folder, tarball]);
  });
}

/** A project with the packages of `installedProject`, removed when the test ends. */
export async function projectWithToponym(context: Pick<TestContext, 'after'>): Promise<string> {
  const project = emptyProject(context);
  symlinkSync(join(await installedProject(), 'node_modules'), join(project, 'node_modules'));
  return project;
}

/** An empty project, removed when the test ends. */
export function emptyProject(context: Pick<TestContext, 'after'>): string {
  return createProject(temporaryFolder(context));
}

function createProject(folder: string): string {
  const project = join(folder, PROJECT);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }\n');
  return project;
}
