/**
 * `toponym serve`: the service, and what it tells the person who started it.
 */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { embeddedIndexName } from '../../datasets/embedded-index.ts';
import { embeddedIndexPath, loadServedIndex } from '../../datasets/load-index.ts';
import type { Meta } from '../../index-file/layout.ts';
import { openIndex } from '../../index-file/open-index.ts';
import { createLog } from '../../serve/log.ts';
import { type Service, startService } from '../../serve/serve.ts';
import { ServiceSignals } from '../../serve/signals.ts';
import type { FirstKey } from '../../serve/state/first-key.ts';
import { openIndexFolder, openStateFolder, type StateFolder } from '../../serve/state/state-folder.ts';
import { VERSION } from '../../version.ts';
import { curlLine } from '../print/curl-line.ts';
import { withIndexingProgress } from '../print/indexing-progress.ts';
import { note, print, printJson } from '../print/output.ts';
import { addSettings, settingsOf } from '../settings/setting-flags.ts';
import { SERVE_SETTINGS, type Settings } from '../settings/settings.ts';

/** What the welcome says about it. */
type Data = Pick<Meta, 'version' | 'places'>;

export function addServeCommand(program: Command): void {
  const command = program.command('serve').description('answer the API over HTTPS');
  addSettings(command, SERVE_SETTINGS)
    .option('--json', 'print one line {"url","pid","version"} when ready')
    .addHelpText(
      'after',
      '\nSIGTERM and SIGINT finish running requests and stop; SIGHUP reloads index and certificate.',
    )
    .action(async (flags: { json?: boolean }) => {
      process.exitCode = await serve(settingsOf(flags), flags.json ?? false);
    });
}

async function serve(settings: Settings, isJson: boolean): Promise<number> {
  const signals = new ServiceSignals(() => {
    if (!isJson) note('Finishing running requests, then stopping. Once more to stop at once.');
  });
  const started = await startUnlessStopped(settings, signals.stopping);
  if (started === undefined) return 0;
  const { service, data } = started;
  const stopped = signals.untilStopped(service);
  if (isJson) {
    const { url, metricsUrl } = service;
    printJson({ url, pid: process.pid, version: VERSION, metricsUrl });
  } else {
    print(welcome(service, settings, data));
  }
  return await stopped;
}

/** Undefined if SIGTERM or SIGINT came before the service was ready. */
async function startUnlessStopped(settings: Settings, stopping: AbortSignal) {
  try {
    return await start(settings, stopping);
  } catch (error) {
    if (stopping.aborted && (error as Error).name === 'AbortError') return undefined;
    throw error;
  }
}

/** Apart, so that nothing here goes on holding the bytes of an index that is replaced later. */
async function start(settings: Settings, stopping: AbortSignal): Promise<{ service: Service; data: Data | undefined }> {
  const state = openStateFolder(settings.state);
  // loaded only where there is one: it brings the importers and the builder with it
  const overlay =
    settings.overlay === undefined
      ? undefined
      : (await import('../../datasets/overlay-index.ts')).overlayAt(settings.overlay);
  const indexPath = servedIndexPath(settings.index, state);
  const options = { ...settings, state, indexPath, overlay, version: VERSION, stopping };
  let data: Data | undefined;
  const load = async (beforeRead: () => void) => {
    const bytes = await withIndexingProgress((callbacks) =>
      loadServedIndex(settings.index, indexPath, { beforeRead, stopping, ...callbacks }),
    );
    data = openIndex(bytes).head;
    return bytes;
  };
  const service = await startService(options, load, createLog(settings.logLevel));
  return { service, data };
}

/** The file the service loads now and on every reload. Without a user cache, it is in the state folder. */
function servedIndexPath(named: string | undefined, state: StateFolder): string {
  if (named !== undefined) return resolve(named);
  return embeddedIndexPath(state.indexFolder) ?? join(openIndexFolder(state), embeddedIndexName());
}

function welcome(service: Service, settings: Settings, data: Data | undefined): string {
  const { certificate, firstKey, metricsUrl } = service;
  return [
    `Toponym ${VERSION} is ready.`,
    '',
    `  URL          ${service.url}`,
    `  Key          ${shownKey(firstKey)}`,
    ...(certificate ? [`  Certificate  SHA-256 ${certificate.fingerprint}`] : []),
    ...(data ? [`  Data         ${data.version}, ${data.places.toLocaleString('en')} places`] : []),
    ...(metricsUrl === undefined ? [] : [`  Metrics      ${metricsUrl}`]),
    '',
    ...firstCall(service, `X-${settings.serviceName}-Key`),
    '',
  ].join('\n');
}

/** Output that is no terminal is kept in journals, where a key must not lie; a new one is shown once. */
function isShown(firstKey: Extract<FirstKey, { key: string }>): boolean {
  return firstKey.isNew || process.stdout.isTTY;
}

function shownKey(firstKey: FirstKey): string {
  if (firstKey.key === undefined) return 'not shown: only hashes of keys are kept';
  return isShown(firstKey) ? firstKey.key : `in ${firstKey.path}`;
}

function firstCall(service: Service, header: string): string[] {
  const { firstKey } = service;
  if (firstKey.key !== undefined) {
    const key = isShown(firstKey) ? firstKey.key : { path: firstKey.path };
    return ['Try it:', '', `  ${curlLine(service, header, key)}`];
  }
  const why = firstKey.reason === 'ended' ? 'The first key no longer works.' : 'The text of the first key was removed.';
  return [`${why} To make another: npx toponym keys create --label NAME`];
}
