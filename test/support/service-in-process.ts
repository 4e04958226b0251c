/**
 * A service whose main thread is the test's own: real worker threads, TLS, files and key store, for
 * half of the processor time of `runService`. Not for flags, signals and what worker threads log.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { servedOverlay } from '../../src/cli/commands/serve-command.ts';
import { readVerifiedIndex } from '../../src/datasets/load-index.ts';
import { type LoadIndex, type ServeOptions, type StartedService, startService } from '../../src/serve/serve.ts';
import { openStateFolder } from '../../src/serve/state-folder.ts';
import { smallIndex } from './index-version.ts';
import { OutputLines } from './output-lines.ts';
import { type Call, callOver, type ServiceResponse, stateWithCertificate } from './running-service.ts';

export interface InProcessRun extends Partial<Omit<ServeOptions, 'state' | 'overlay'>> {
  /** State folder; by default a new one that has a certificate. */
  readonly state?: string;
  /** The path of an overlay, or what applies it. */
  readonly overlay?: string | ServeOptions['overlay'];
  /** Reads the index; by default from `indexPath`. */
  readonly load?: LoadIndex;
}

export interface InProcessService extends StartedService {
  readonly state: string;
  readonly key: string;
  /** What the main thread has logged. */
  readonly log: () => string;
  call(path: string, call?: Call): Promise<ServiceResponse>;
  /** Waits until `times` lines of the log (default 1) contain this text. */
  logged(part: string, times?: number): Promise<void>;
}

export async function startInProcess(
  context: Pick<TestContext, 'after'>,
  { state: givenState, overlay, load, ...changed }: InProcessRun = {},
): Promise<InProcessService> {
  const state = givenState ?? (await stateWithCertificate(context));
  const indexPath = changed.indexPath ?? (await smallIndex());
  const options: ServeOptions = {
    ...DEFAULTS,
    ...changed,
    state: openStateFolder(state),
    indexPath,
    overlay: typeof overlay === 'string' ? servedOverlay(overlay, { indexFolder: join(state, 'index') }) : overlay,
  };
  const readIndex: LoadIndex = async (beforeRead) => {
    beforeRead();
    return readVerifiedIndex(indexPath);
  };
  const stream = new PassThrough();
  const lines = new OutputLines(stream);
  const service = await startService(options, load ?? readIndex, pino({ level: 'info' }, stream));
  context.after(() => service.stop());
  const keyFile = join(state, 'first-key.txt');
  const key = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : '';
  return {
    ...service,
    state,
    key,
    log: () => lines.text,
    call: (path, call = {}) => callOver(service.url, state, path, { key, ...call }),
    logged: (part, times) => lines.contains(part, times),
  };
}

const DEFAULTS: Omit<ServeOptions, 'state' | 'indexPath'> = {
  host: '127.0.0.1',
  port: 0,
  threads: 1,
  allowShrunkenData: false,
  watchSeconds: 0,
  tlsCert: undefined,
  tlsKey: undefined,
  tlsClientCa: undefined,
  hstsSeconds: 15_552_000,
  behindProxy: false,
  socketMode: 0o660,
  trustedProxies: [],
  proxyProtocol: false,
  callsPerMinute: 60,
  serviceName: 'Service',
  compat: [],
  compatListen: undefined,
  compatFrom: undefined,
  compatOpen: false,
  compatHosts: [],
  ipDatabase: ['none'],
  metricsPort: undefined,
  metricsHost: '127.0.0.1',
  drainGraceSeconds: 0,
  drainSeconds: 1,
  logLevel: 'silent',
  page: false,
  version: 'test',
};
