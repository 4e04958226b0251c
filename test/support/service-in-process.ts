/**
 * A service whose main thread is the test's own: real worker threads, TLS, files and key store, for
 * half of the processor time of `runService`. Not for flags, signals and what worker threads log.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import type { IndexJob } from 'toponym-gazetteer/datasets/index-job';
import { chooseJob, withJob } from 'toponym-program/cli/commands/serve-command';
import type { Logger } from 'toponym-server/serve/log';
import { type ServeOptions, type StartedService, startService } from 'toponym-server/serve/serve';
import { openStateFolder, type StateFolder } from 'toponym-server/serve/state-folder';
import { smallIndex } from './index-version.ts';
import { OutputLines } from './output-lines.ts';
import { type Call, callOver, type ServiceResponse, stateWithCertificate } from './running-service.ts';

export interface InProcessRun extends Partial<Omit<ServeOptions, 'state' | 'indexPath'>> {
  /** State folder; by default a new one that has a certificate. */
  readonly state?: string;
  /** Path or URL; by default a small index. */
  readonly index?: string;
  /** Path of an overlay. */
  readonly overlay?: string;
  /** Creates what makes the index; by default what `serve` does for `index` and `overlay`. */
  readonly createJob?: (context: { state: StateFolder; log: Logger }) => IndexJob;
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
  { state: givenState, index, overlay, createJob, ...changed }: InProcessRun = {},
): Promise<InProcessService> {
  const folder = givenState ?? (await stateWithCertificate(context));
  const state = openStateFolder(folder);
  const stream = new PassThrough();
  const lines = new OutputLines(stream);
  const log = pino({ level: 'info' }, stream);
  const options = { ...DEFAULTS, ...changed, state };
  const settings = { index: index ?? (await smallIndex()), overlay, allowShrunkenData: options.allowShrunkenData };
  const job = createJob?.({ state, log }) ?? (await chooseJob(settings, { state, log }));
  const indexPath = (served?: string) => job.path(served);
  const started = await startService({ ...options, indexPath }, (beforeRead) => job.load(beforeRead), log);
  const service = withJob(started, job, { watchSeconds: options.watchSeconds, log });
  context.after(() => service.stop());
  const keyFile = join(folder, 'first-key.txt');
  const key = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : '';
  return {
    ...service,
    state: folder,
    key,
    log: () => lines.text,
    call: (path, call = {}) => callOver(service.url, folder, path, { key, ...call }),
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
