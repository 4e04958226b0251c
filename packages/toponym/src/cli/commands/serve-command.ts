/** `toponym serve`: runs the service and prints its address, key and a first call. */

import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { basename, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import type { FirstKey } from 'toponym-access/keys/first-key';
import { UsageError } from 'toponym-files/errors/errors';
import { commandName, VERSION } from 'toponym-files/program';
import { embeddedIndexName } from 'toponym-gazetteer/datasets/embedded-index';
import { chooseIndex, updatedIndexPath } from 'toponym-gazetteer/datasets/index-choice';
import type { IndexJob, JobEvents } from 'toponym-gazetteer/datasets/index-job';
import {
  embeddedIndexPath,
  loadEmbeddedIndex,
  overlaidFolder,
  readChosenIndex,
} from 'toponym-gazetteer/datasets/load-index';
import { AddressInUseError, type ListenAddress, localAccess, urlOf } from 'toponym-server/serve/listen/listen-address';
import { createLog, type Logger } from 'toponym-server/serve/log';
import { isPageServed } from 'toponym-server/serve/page-files';
import { readNewData } from 'toponym-server/serve/reload/new-data';
import { type StartedService, startService } from 'toponym-server/serve/serve';
import { openIndexFolder, openStateFolder, type StateFolder } from 'toponym-server/serve/state-folder';
import { askService } from '../container/ready-request.ts';
import { addExamples } from '../help.ts';
import { describeData } from '../print/data-text.ts';
import { type Fact, formatFacts, shellQuote } from '../print/facts.ts';
import { note, print, printJson } from '../print/output.ts';
import { createProgress, downloadStage, withIndexingProgress } from '../print/progress.ts';
import { joinLines, joinText, type StyledText, styled, type Text } from '../print/styled-text.ts';
import { terminalWidth } from '../print/text-width.ts';
import { addSettings, readSettings, redisSettings } from '../settings/read-settings.ts';
import { SERVE_SETTINGS, type Settings } from '../settings/settings.ts';
import { ServiceSignals } from '../signals.ts';

export function addServeCommand(command: Command): void {
  addSettings(command, SERVE_SETTINGS)
    .option(
      '--json',
      'print one line {"url","pid","version"} when ready, with "metricsUrl" and "compatUrl" if there are such',
    )
    .action(async (flags: { json?: boolean }) => {
      const settings = readSettings(flags);
      await serve(settings, {
        isJson: flags.json ?? false,
        formatWelcome: (service) => formatWelcome(service, settings),
      });
    });
  addExamples(
    command,
    [
      'toponym serve',
      'toponym serve --index world.toponym --overlay fixes.ndjson',
      'toponym serve --host 0.0.0.0 --port 443 --tls-cert cert.pem --tls-key key.pem',
    ],
    'SIGTERM and SIGINT stop the service after its running requests. SIGHUP reloads its files: index, overlay, certificate and IP databases.',
  );
}

interface ServeOutput {
  readonly isJson: boolean;
  /** The text for people when the service is ready. */
  readonly formatWelcome: (service: StartedService) => Text;
  /** Called after the output. */
  readonly onReady?: (service: StartedService) => void;
}

/** Runs the service until a signal stops it, and sets the exit code. */
export async function serve(settings: Settings, { isJson, formatWelcome, onReady }: ServeOutput): Promise<void> {
  const signals = new ServiceSignals(() => {
    if (!isJson) note('Finishing running requests, then stopping. Send the signal again to stop immediately.');
  });
  const service = await startUnlessStopped(settings, signals.stopping);
  if (service === undefined) return;
  const stopped = signals.untilStopped(service);
  if (isJson) {
    const { url, metricsUrl, compatUrl } = service;
    printJson({ url, pid: process.pid, version: VERSION, metricsUrl, compatUrl });
  } else {
    print(formatWelcome(service));
  }
  onReady?.(service);
  const code = await stopped;
  if (code !== 0) process.exitCode = code; // 0 must not replace the exit code of a failed output
}

/** Returns undefined if SIGTERM or SIGINT arrived before the service was ready. */
async function startUnlessStopped(settings: Settings, stopping: AbortSignal) {
  try {
    return await start(settings, stopping);
  } catch (error) {
    if (stopping.aborted && (error as Error).name === 'AbortError') return undefined;
    throw error instanceof AddressInUseError ? await nameOwnService(error, settings) : error;
  }
}

/** Says so if it is a Toponym that uses the address. */
async function nameOwnService(error: AddressInUseError, settings: Settings): Promise<UsageError> {
  const running = await askService(settings);
  if (running === undefined) return error;
  const message = error.message.replace('another program', `Toponym ${running.version}, which serves already`);
  return new UsageError(message, { cause: error });
}

/** Starts the service and what makes its index. Within `serve`, the first index would stay in memory. */
async function start(settings: Settings, stopping: AbortSignal): Promise<StartedService> {
  const state = openStateFolder(settings.state);
  const log = createLog(settings.logLevel);
  const job = await chooseJob(settings, { state, log, stopping });
  const redis = redisSettings(settings);
  const indexPath = (served?: string) => job.path(served);
  const options = { ...settings, indexPath, state, redis, version: VERSION, stopping };
  const service = await startService(options, (beforeRead) => job.load(beforeRead), log);
  return withJob(service, job, { watchSeconds: settings.watchSeconds, log });
}

/** The service with what makes its index: both are reloaded and stopped together. */
export function withJob(
  service: StartedService,
  job: IndexJob,
  options: Pick<JobEvents, 'watchSeconds' | 'log'>,
): StartedService {
  const { reportIndexProblem: onProblem } = service;
  job.follow?.({ ...options, onNewIndex: () => void service.reloadIndex(), onProblem });
  return {
    ...service,
    reload: () => {
      job.refresh?.();
      return service.reload();
    },
    drain: () => {
      job.stop?.();
      return service.drain();
    },
    stop: () => {
      job.stop?.();
      return service.stop();
    },
  };
}

interface JobContext {
  readonly state: StateFolder;
  readonly log: Logger;
  readonly stopping?: AbortSignal;
}

/** What makes the index that the settings name. Shows progress at the start only: later the log tells what happens. */
export async function chooseJob(
  settings: Pick<Settings, 'index' | 'overlay' | 'allowShrunkenData'>,
  context: JobContext,
): Promise<IndexJob> {
  const { state, log, stopping } = context;
  const choice = chooseIndex(settings.index, state.indexFolder);
  const base =
    choice.kind === 'url'
      ? await mirrorOf(choice.url, settings, context)
      : choice.kind === 'embedded'
        ? embeddedJob(settings, context)
        : fileJob(choice.path, () => readChosenIndex(choice));
  if (settings.overlay === undefined) return base;
  const overlayPath = resolve(settings.overlay);
  const { OverlayJob } = await import('toponym-gazetteer/datasets/overlay-job'); // imported only if needed
  const folder = overlaidFolder(openIndexFolder(state));
  const progress = createProgress(`Index with ${basename(overlayPath)}`);
  return new OverlayJob({ base, overlayPath, folder, log, stopping, progress });
}

/** An index that exists. */
export function fileJob(path: string, read: () => SharedArrayBuffer): IndexJob {
  const load: IndexJob['load'] = async (beforeRead) => {
    beforeRead();
    return read();
  };
  return { path: () => path, load };
}

/**
 * The embedded data until there is an index of `toponym update`. Once that is served, the service does not return to
 * the embedded data, even if the file disappears.
 */
function embeddedJob({ index }: Pick<Settings, 'index'>, { state, stopping }: JobContext): IndexJob {
  const path = embeddedIndexPath(state.indexFolder) ?? join(openIndexFolder(state), embeddedIndexName());
  const load: IndexJob['load'] = (beforeRead) =>
    withIndexingProgress((callbacks) => loadEmbeddedIndex(path, { beforeRead, stopping, ...callbacks }));
  // undefined if the user asks for the embedded data
  const updatedPath = index === undefined ? updatedIndexPath(state.indexFolder) : undefined;
  return {
    path: (served = path) => (updatedPath !== undefined && existsSync(updatedPath) ? updatedPath : served),
    load,
  };
}

async function mirrorOf(
  url: URL,
  { allowShrunkenData }: Pick<Settings, 'allowShrunkenData'>,
  { state, stopping }: JobContext,
): Promise<IndexJob> {
  // imported only if needed
  const { IndexCopy } = await import('toponym-gazetteer/datasets/index-copy');
  const { Mirror } = await import('toponym-gazetteer/datasets/mirror');
  const copy = new IndexCopy(url, openIndexFolder(state), async (path, name, served) => {
    const remedy = 'set --allow-shrunken-data';
    return (await readNewData(path, { name, allowShrunkenData, served, remedy })).facts;
  });
  const progress = createProgress(copy.name);
  return new Mirror(copy, {
    signal: stopping,
    onProgress: (download) => progress.show(downloadStage('downloading', download)),
    onRetry(reason, delayMs) {
      progress.end();
      note(`${copy.name}: ${reason}; retrying in ${Math.ceil(delayMs / 1000)} s`);
    },
    onWait: () => note(`Another process is downloading ${copy.name}: waiting for it.`),
    onEnd: () => progress.end(),
  });
}

function formatWelcome(service: StartedService, settings: Settings): StyledText {
  const { certificate, firstKey, data, metricsUrl, compatUrl } = service;
  const adapters = [...new Set(settings.compat)].join(', ');
  const facts: Fact[] = [
    ['URL', styled('title', service.url)],
    ['Key', formatKey(firstKey)],
    ['Certificate', certificate && `SHA-256 ${certificate.fingerprint}`],
    ['Data', data && describeData(data, settings, new Date())],
    ['Metrics', metricsUrl],
    ['Adapters', adapters === '' ? undefined : `${adapters}, at ${compatUrl ?? service.url}`],
  ];
  return joinLines([
    styled('ok', `Toponym ${VERSION} is ready.`),
    '',
    ...formatFacts(facts, { nameWidth: 12, width: terminalWidth() - 2 }).map((line) => joinText(['  ', line])),
    '',
    ...formatFirstCall(service, settings),
    '',
  ]);
}

/** Output that is not a terminal may end up in a journal, so it shows only a new key. */
function canShowKey(firstKey: Extract<FirstKey, { key: string }>): boolean {
  return firstKey.isNew || process.stdout.isTTY;
}

function formatKey(firstKey: FirstKey): string {
  if (firstKey.key === undefined) return 'not shown: only hashes of keys are stored';
  return canShowKey(firstKey) ? firstKey.key : `in ${firstKey.path}`;
}

function formatFirstCall({ firstKey, certificate, address, url }: StartedService, settings: Settings): string[] {
  if (firstKey.key === undefined) {
    const advice =
      firstKey.reason === 'invalid'
        ? 'The first key no longer works. To create another'
        : 'Use one of your keys, or create another';
    const where = settings.redis === undefined ? '' : ' --redis URL';
    return [`${advice}: ${commandName()} keys create --label NAME${where}`];
  }
  const access = localAccess(address, settings);
  if (access === undefined) return ['Only the --trusted-proxies can connect. Call the service through one of them.'];
  const hasClientCertificate = settings.tlsClientCa !== undefined;
  const title = hasClientCertificate
    ? 'Try it, with a client certificate and its key instead of CLIENT.pem and CLIENT.key:'
    : isPageServed(address, settings) && !access.hasProxyHeader
      ? `Open ${url} in a browser, or call it:`
      : 'Try it:';
  const { flags, base } = curlTarget(access.address, certificate);
  const header = `X-${settings.serviceName}-Key: `;
  const command = [
    'curl',
    ...(access.hasProxyHeader ? ['--haproxy-protocol'] : []),
    ...flags,
    ...(hasClientCertificate ? ['--cert', 'CLIENT.pem', '--key', 'CLIENT.key'] : []),
    '-H',
  ].map(shellQuote);
  // with a path, the shell inserts the key when it runs the command
  const key = canShowKey(firstKey)
    ? shellQuote(`${header}${firstKey.key}`)
    : `"${header}$(cat ${shellQuote(shortestPath(firstKey.path))})"`;
  const request = ['-d', 'query=paris', `${base}/api/1/query`].map(shellQuote);
  return [title, '', `  ${[...command, key, ...request].join(' ')}`];
}

function curlTarget(address: ListenAddress, certificate: StartedService['certificate']) {
  if (address.kind === 'unix') return { flags: ['--unix-socket', address.path], base: 'http://localhost' };
  const url = urlOf(address, certificate !== undefined);
  if (certificate === undefined) return { flags: [], base: url };
  const trustFlags = ['--cacert', shortestPath(certificate.certPath)];
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const name = otherName(new X509Certificate(certificate.cert), host);
  if (name === undefined) return { flags: trustFlags, base: url };
  const { port } = address;
  // the certificate is for another name: request that name, and tell curl where to connect
  const connectTo = `${name}:${port}:${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  return { flags: [...trustFlags, '--connect-to', connectTo], base: `https://${name}:${port}` };
}

/** A host name of the certificate, or undefined if the certificate is valid for `host`. */
function otherName(certificate: X509Certificate, host: string): string | undefined {
  if ((isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined) return undefined;
  return /DNS:([\w.-]+)/.exec(certificate.subjectAltName ?? '')?.[1];
}

function shortestPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}
