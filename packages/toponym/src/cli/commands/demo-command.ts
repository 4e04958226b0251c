/** `toponym demo`: serves the page on this machine until Ctrl-C, and opens it in the browser. */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { errorMessage } from 'toponym-files/errors/errors';
import { VERSION } from 'toponym-files/program';
import { chooseIndex } from 'toponym-gazetteer/datasets/index-choice';
import { hasPageFiles } from 'toponym-server/serve/page-files';
import type { StartedService } from 'toponym-server/serve/serve';
import { stateFolderAt } from 'toponym-server/serve/state-folder';
import { addExamples } from '../help.ts';
import { formatCount } from '../print/facts.ts';
import { NotFoundError, note } from '../print/output.ts';
import { addSettings, readSettings, resolveSettings } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { serve } from './serve-command.ts';

/** Where a demo listens and what it stores is fixed, whatever toponym.json says. */
const DEMO_SETTINGS = ['index', 'overlay', 'ipDatabase', 'logLevel'] as const;

interface DemoFlags {
  readonly open: boolean;
  readonly json?: boolean;
}

export function addDemoCommand(command: Command): void {
  addExamples(
    command,
    ['toponym demo', 'toponym demo --no-open', 'toponym demo --index world.toponym'],
    'It serves only this machine, on a free port, and leaves no keys, certificate or settings behind.',
  );
  addSettings(command, DEMO_SETTINGS)
    .option('--no-open', 'print the URL and open no browser')
    .option('--json', 'print one line {"url","pid","version"} when ready, as "serve --json" does')
    .action(demo);
}

async function demo(flags: DemoFlags): Promise<void> {
  if (!hasPageFiles()) {
    throw new NotFoundError('the page has not been built. In a clone, run "node web/build.js".');
  }
  const settings = demoSettings(readSettings(flags), createDemoFolder());
  // a terminal that is closed sends SIGHUP, for which a service would reload its files
  process.on('SIGHUP', () => process.kill(process.pid, 'SIGTERM'));
  await serve(settings, {
    isJson: flags.json ?? false,
    formatWelcome,
    onReady: ({ url }) => {
      if (flags.open) openBrowser(`${url}/`);
    },
  });
}

/** The defaults of `serve`, except for what a demo may choose. Its index is the one that `serve` would use here. */
function demoSettings({ index, overlay, ipDatabase, logLevel, state }: Settings, folder: string): Settings {
  const flags = { state: folder, port: 0, page: true, threads: 1, drainSeconds: 1 };
  const choice = chooseIndex(index, stateFolderAt(state).indexFolder);
  return {
    ...resolveSettings({ flags, env: {}, workingFolder: folder }),
    index: choice.kind === 'updated' ? choice.path : index,
    overlay,
    ipDatabase,
    logLevel,
  };
}

function formatWelcome({ url, data }: StartedService): string {
  return [
    `Toponym ${VERSION} is ready, with ${formatCount(data?.places ?? 0)} places:`,
    '',
    `  ${url}/`,
    '',
    'The browser warns because the certificate is self-signed, for this demo alone: choose "Advanced", then "Proceed".',
    'Ctrl-C stops the demo and removes its files.',
  ].join('\n');
}

/** A state folder, readable by its owner only. Removed when the process exits, unless it is killed. */
function createDemoFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toponym-demo-'));
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      note(`toponym: the demo's files in ${folder} could not be removed: ${errorMessage(error)}`);
    }
  });
  return folder;
}

/** The command that opens a URL; undefined without a display. */
export function browserCommand(
  url: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open', url];
  // `start` takes a quoted argument for the title of a window, and Node.js quotes an empty one
  if (platform === 'win32') return ['cmd', '/c', 'start', '', url];
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  return hasDisplay ? ['xdg-open', url] : undefined;
}

/** Says nothing if it fails: the user has the URL. The browser outlives this process. */
export function openBrowser(url: string): void {
  const [command, ...args] = browserCommand(url, process.env, process.platform) ?? [];
  if (command === undefined) return;
  const child = spawn(command, args, { detached: true, stdio: 'ignore' });
  child.on('error', () => {}); // not installed
  child.unref();
}
