/** Installs the peers of bench/package.json that are missing or have another version. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

export function installPeers(): void {
  if (areInstalled()) return;
  console.log('Installing the peers…');
  const args = ['install', '--no-save', '--no-audit', '--no-fund'];
  const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = process.env;
  const run = npm
    ? spawnSync(node, [npm, ...args], { cwd: folder, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (run.status !== 0) throw new Error('the peers could not be installed; see the messages of npm above');
}

function areInstalled(): boolean {
  const { dependencies } = readJson('package.json') as { dependencies: Record<string, string> };
  return Object.entries(dependencies).every(([name, version]) => {
    const manifest = `node_modules/${name}/package.json`;
    return existsSync(`${folder}${manifest}`) && (readJson(manifest) as { version: string }).version === version;
  });
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(`${folder}${file}`, 'utf8'));
}
