/** `toponym serve`: runs the service and prints its address, key and a first call. */

import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { basename, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import type { FirstKey } from '../../access/keys/first-key.ts';
import { embeddedIndexName } from '../../datasets/embedded-index.ts';
import { chooseIndex, updatedIndexPath } from '../../datasets/index-choice.ts';
import { embeddedIndexPath, loadEmbeddedIndex, readChosenIndex, withOverlay } from '../../datasets/load-index.ts';
import { UsageError } from '../../errors/errors.ts';
import { commandName, VERSION } from '../../program.ts';
import { AddressInUseError, type ListenAddress, localAccess, urlOf } from '../../serve/listen/listen-address.ts';
import { createLog } from '../../serve/log.ts';
import { isPageServed } from '../../serve/page-files.ts';
import { readIndexInThread } from '../../serve/reload/new-data.ts';
import { type LoadIndex, type ServeOptions, type StartedService, startService } from '../../serve/serve.ts';
import { ServiceSignals } from '../../serve/signals.ts';
import { openIndexFolder, openStateFolder, type StateFolder } from '../../serve/state-folder.ts';
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

export interface ServeOutput {
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

/** Starts the service. Within `serve`, `load` would stay in memory, with the index it has read. */
async function start(settings: Settings, stopping: AbortSignal): Promise<StartedService> {
  const state = openStateFolder(settings.state);
  const overlay =
    settings.overlay === undefined
      ? undefined
      : servedOverlay(settings.overlay, { indexFolder: openIndexFolder(state), stopping });
  const { load, ...served } = await servedIndex(settings, state, stopping);
  const redis = redisSettings(settings);
  const options = { ...settings, ...served, state, redis, overlay, version: VERSION, stopping };
  return await startService(options, load, createLog(settings.logLevel));
}

type ServedIndex = Pick<ServeOptions, 'indexPath' | 'updatedIndexPath' | 'remote'> & { readonly load: LoadIndex };

async function servedIndex(settings: Settings, state: StateFolder, stopping: AbortSignal): Promise<ServedIndex> {
  const choice = chooseIndex(settings.index, state.indexFolder);
  if (choice.kind === 'url') return await remoteIndex(choice.url, settings, { state, stopping });
  if (choice.kind === 'embedded') {
    const embedded = embeddedIndex(state, stopping);
    return settings.index === undefined
      ? { ...embedded, updatedIndexPath: updatedIndexPath(state.indexFolder) }
      : embedded;
  }
  const load: LoadIndex = async (beforeRead) => {
    beforeRead();
    return readChosenIndex(choice);
  };
  return { indexPath: choice.path, load };
}

function embeddedIndex(state: StateFolder, stopping: AbortSignal): ServedIndex {
  const indexPath = embeddedIndexPath(state.indexFolder) ?? join(openIndexFolder(state), embeddedIndexName());
  const load: LoadIndex = (beforeRead) =>
    withIndexingProgress((callbacks) => loadEmbeddedIndex(indexPath, { beforeRead, stopping, ...callbacks }));
  return { indexPath, load };
}

async function remoteIndex(
  url: URL,
  { allowShrunkenData }: Settings,
  { state, stopping }: { state: StateFolder; stopping: AbortSignal },
): Promise<ServedIndex> {
  // imported only if needed
  const { IndexDownload, loadRemoteIndex } = await import('../../serve/remote/index-download.ts');
  const remote = new IndexDownload(url, openIndexFolder(state));
  const load: LoadIndex = async (beforeRead) => {
    const progress = createProgress(remote.name);
    return await loadRemoteIndex(remote, {
      allowShrunkenData,
      beforeRead,
      signal: stopping,
      onProgress: (download) => progress.show(downloadStage('downloading', download)),
      onRetry(reason, delayMs) {
        progress.end();
        note(`${remote.name}: ${reason}; retrying in ${Math.ceil(delayMs / 1000)} s`);
      },
      onWait: () => note(`Another process is downloading ${remote.name}: waiting for it.`),
    }).finally(() => progress.end());
  };
  return { indexPath: remote.path, remote, load };
}

/** Shows progress at the start only: later the log tells what happens. */
export function servedOverlay(
  givenPath: string,
  { indexFolder, stopping }: Pick<StateFolder, 'indexFolder'> & { readonly stopping?: AbortSignal },
): NonNullable<ServeOptions['overlay']> {
  const path = resolve(givenPath);
  let isStarting = true;
  return {
    path,
    async apply(index) {
      const progress = isStarting ? createProgress(`Index with ${basename(path)}`) : undefined;
      isStarting = false;
      const options = { stopping, onProgress: progress?.show, readIndex: readIndexInThread };
      return await withOverlay(index, path, indexFolder, options).finally(() => progress?.end());
    },
  };
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
