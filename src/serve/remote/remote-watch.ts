/**
 * Asks the server of an index for a new version: at the start, at intervals and on request. Nothing
 * here may reject, because timers and signal handlers call this class.
 */
import { basename, dirname } from 'node:path';
import { errorMessage } from '../../errors/errors.ts';
import type { Logger } from '../log.ts';
import type { FetchOptions, IndexDownload, NewIndex } from './index-download.ts';

interface RemoteEvents {
  /** Resolves with whether the new version is being served. */
  readonly onNewIndex: (downloaded: NewIndex) => Promise<boolean>;
  /** Called after each check; '' if the server's version is being served. */
  readonly onProblem: (problem: string) => Promise<void>;
}

/** Ten minutes at the default interval, which only the download of a very large index takes. */
const MAX_BUSY_CHECKS = 10;

export class RemoteWatch {
  readonly #remote: IndexDownload;
  readonly #events: RemoteEvents;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  /** Ends the running download, so that another check can begin. */
  #restarting = new AbortController();
  /** Polls in a row that found a check running. */
  #runningPolls = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Reasons of failures since the last success, without their numbers. */
  readonly #loggedReasons = new Set<string>();
  /** Checks in a row that found another process downloading. */
  #busyChecks = 0;
  /** Whether a forced check has not succeeded yet. */
  #isForcePending = false;
  #isUnversioned = false;

  constructor(remote: IndexDownload, events: RemoteEvents, log: Logger) {
    this.#remote = remote;
    this.#events = events;
    this.#log = log;
  }

  /** Checks once, without retries, then at each interval unless it is 0. */
  start(intervalMs: number): Promise<void> {
    if (intervalMs > 0) this.#timer = setInterval(() => this.poll(), intervalMs).unref();
    return this.#run({ maxFailures: 1 });
  }

  /** Ends a running download. */
  stop(): void {
    clearInterval(this.#timer);
    this.#stopping.abort();
  }

  poll(): void {
    this.#runningPolls = this.#running === undefined ? 0 : this.#runningPolls + 1;
    if (this.#running === undefined) void this.#run();
    else if (this.#runningPolls === MAX_BUSY_CHECKS) void this.#reportLong();
  }

  /** Checks after the running checks, if any, and tries a refused version again. */
  async retry(): Promise<void> {
    while (this.#running !== undefined) await this.#running; // another request may wait, too
    await this.#run({ isForced: true });
  }

  /** As `retry`, but ends a running download, which the new check resumes if it can. */
  async restart(): Promise<void> {
    this.#restarting.abort();
    this.#restarting = new AbortController();
    await this.retry();
  }

  async #run(options: FetchOptions = {}): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const check = this.#check(options);
    this.#running = check;
    await check;
    if (this.#running === check) this.#running = undefined;
  }

  async #check(options: FetchOptions): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, this.#restarting.signal]);
    const file = basename(this.#remote.path);
    const isForced = options.isForced === true || this.#isForcePending;
    this.#isForcePending = isForced;
    try {
      const result = await this.#remote.fetch({ ...options, isForced, signal });
      this.#busyChecks = result === 'busy' ? this.#busyChecks + 1 : 0;
      if (result === 'busy') return await this.#reportBusy(file);
      this.#isForcePending = false;
      this.#reportReachable();
      if (result === 'unversioned') this.#reportUnversioned();
      const isRefused = typeof result === 'object' ? !(await this.#events.onNewIndex(result)) : result === 'refused';
      await this.#events.onProblem(isRefused ? `index ${file} not reloaded; the log says why` : '');
    } catch (error) {
      if (signal.aborted) return;
      this.#reportFailure(error);
      await this.#events.onProblem(`index ${file} not downloaded; the log says why`);
    }
  }

  /** The file watch notices what the other process stores. */
  async #reportBusy(file: string): Promise<void> {
    if (this.#busyChecks < MAX_BUSY_CHECKS) return;
    const problem = `index ${file} not checked: another process has been downloading it for long`;
    if (this.#busyChecks === MAX_BUSY_CHECKS) this.#log.warn({ folder: dirname(this.#remote.path) }, problem);
    await this.#events.onProblem(problem);
  }

  async #reportLong(): Promise<void> {
    const problem = `index ${basename(this.#remote.path)} has been downloading for long`;
    this.#log.warn({ url: this.#remote.name }, `${problem}: the copy stays in use. SIGHUP starts the download again`);
    await this.#events.onProblem(problem);
  }

  /** Logs each reason once, whatever its numbers are, such as the bytes received. */
  #reportFailure(error: unknown): void {
    const reason = errorMessage(error);
    const compared = reason.replace(/ \(tried .*/, '').replaceAll(/\d+/g, 'N');
    if (this.#loggedReasons.has(compared)) return;
    this.#loggedReasons.add(compared);
    this.#log.error({ reason }, 'index not downloaded: the copy stays in use');
  }

  #reportReachable(): void {
    if (this.#loggedReasons.size > 0) this.#log.info({ url: this.#remote.name }, 'the index can be downloaded again');
    this.#loggedReasons.clear();
  }

  #reportUnversioned(): void {
    if (this.#isUnversioned) return;
    this.#isUnversioned = true;
    const message =
      'the server sends neither ETag nor Last-Modified: the index is downloaded again only on SIGHUP or with a new overlay';
    this.#log.warn({ url: this.#remote.name }, message);
  }
}
