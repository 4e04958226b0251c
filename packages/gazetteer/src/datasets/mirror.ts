/**
 * Keeps the copy of an index that is at a URL like the original: asks the server at the start, at intervals and on
 * request. Apart from `load`, nothing here may throw or reject, because timers and signal handlers call it.
 */
import { basename } from 'node:path';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import { errorMessage } from 'toponym-files/errors/errors';
import { createReloadQueue } from 'toponym-files/reload-queue';
import { type FetchOptions, type IndexCopy, RefusedError } from './index-copy.ts';
import type { IndexJob, JobEvents } from './index-job.ts';

export interface MirrorStart extends Omit<FetchOptions, 'isForced'> {
  /** Called once if the start waits for another process to download the index. */
  readonly onWait: () => void;
  /** Called when the start has its index, or none. */
  readonly onEnd: () => void;
}

const WATCH_SECONDS = 60;
const BUSY_POLL_MS = 250;
/** Ten minutes at the default interval, which only the download of a very large index takes. */
const MAX_UNFINISHED_POLLS = 10;

export class Mirror implements IndexJob {
  readonly #copy: Pick<IndexCopy, 'name' | 'path' | 'read' | 'fetch'>;
  readonly #start: MirrorStart;
  readonly #requestCheck = createReloadQueue(() => this.#check(), 0);
  #events: JobEvents | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Ends the running check; undefined if none is running. */
  #running: AbortController | undefined;
  /** Polls since the last check that came to an end. */
  #unfinishedPolls = 0;
  /** Whether a check was requested, and none that began later has succeeded. */
  #isForced = false;
  #isUnversioned = false;
  #problem = '';
  /** Reasons of failures since the last success, without their numbers. */
  readonly #loggedReasons = new Set<string>();

  constructor(copy: Pick<IndexCopy, 'name' | 'path' | 'read' | 'fetch'>, start: MirrorStart) {
    this.#copy = copy;
    this.#start = start;
  }

  path(): string {
    return this.#copy.path;
  }

  /** Downloads the index if there is no usable copy. Throws DownloadError, or why the index cannot be used. */
  async load(beforeRead: () => void): Promise<SharedArrayBuffer> {
    return await this.#load(beforeRead).finally(this.#start.onEnd);
  }

  async #load(beforeRead: () => void): Promise<SharedArrayBuffer> {
    const { onWait, onEnd: _, ...options } = this.#start;
    for (let waits = 0; ; waits++) {
      beforeRead();
      const index = await this.#copy.read();
      if (index !== undefined) return index;
      const result = await this.#copy.fetch(options).catch((error: Error) => {
        throw error instanceof RefusedError ? error.cause : error;
      });
      if (result !== 'busy') continue;
      if (waits === 0) onWait();
      await setTimeoutAsync(BUSY_POLL_MS, undefined, options.signal && { signal: options.signal });
    }
  }

  follow(events: JobEvents): void {
    this.#events = events;
    const { watchSeconds = WATCH_SECONDS } = events;
    if (watchSeconds > 0) this.#timer = setInterval(() => this.#poll(), watchSeconds * 1000).unref();
    void this.#requestCheck();
  }

  /** Ends a running download, which the new check resumes if it can, and tries a refused version again. */
  refresh(): void {
    this.#isForced = true;
    this.#running?.abort();
    void this.#requestCheck();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#running?.abort();
  }

  #poll(): void {
    this.#unfinishedPolls++;
    if (this.#running === undefined) void this.#requestCheck();
    if (this.#unfinishedPolls <= MAX_UNFINISHED_POLLS || this.#events === undefined) return;
    const problem = `index ${basename(this.path())} has been downloading for long, here or in another process`;
    if (problem !== this.#problem)
      this.#events.log.warn({ url: this.#copy.name }, `${problem}. SIGHUP starts a download of this process again`);
    this.#report(problem);
  }

  async #check(): Promise<void> {
    if (this.#isStopped || this.#events === undefined) return;
    this.#running = new AbortController();
    const { signal } = this.#running;
    const { log, onNewIndex } = this.#events;
    const url = this.#copy.name;
    const name = basename(this.path());
    const isForced = this.#isForced;
    this.#isForced = false;
    try {
      const result = await this.#copy.fetch({ signal, isForced });
      if (result === 'busy') {
        this.#isForced ||= isForced;
        // without polls, nothing else would ask again
        if (this.#timer === undefined) setTimeout(() => void this.#requestCheck(), BUSY_POLL_MS).unref();
        return;
      }
      this.#noteReachable();
      if (result === 'unversioned') this.#warnUnversioned();
      this.#report(result === 'refused' ? `index ${name} not reloaded; the log says why` : '');
      if (result === 'new') onNewIndex();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RefusedError) {
        this.#noteReachable();
        log.error({ reason: errorMessage(error.cause), url }, 'index not reloaded: the old one stays in use');
        this.#report(`index ${name} not reloaded; the log says why`);
      } else {
        this.#unfinishedPolls = 0;
        this.#isForced ||= isForced;
        this.#logFailure(errorMessage(error));
        this.#report(`index ${name} not downloaded; the log says why`);
      }
    } finally {
      this.#running = undefined;
    }
  }

  #report(problem: string): void {
    if (problem !== this.#problem) this.#events?.onProblem(problem);
    this.#problem = problem;
  }

  /** Logs each reason once, whatever its numbers are, such as the bytes received. */
  #logFailure(reason: string): void {
    const compared = reason.replace(/ \(tried .*/, '').replaceAll(/\d+/g, 'N');
    if (this.#loggedReasons.has(compared)) return;
    this.#loggedReasons.add(compared);
    this.#events?.log.error({ reason }, 'index not downloaded: the copy stays in use');
  }

  #noteReachable(): void {
    this.#unfinishedPolls = 0;
    const { size } = this.#loggedReasons;
    if (size > 0) this.#events?.log.info({ url: this.#copy.name }, 'the index can be downloaded again');
    this.#loggedReasons.clear();
  }

  #warnUnversioned(): void {
    if (this.#isUnversioned) return;
    this.#isUnversioned = true;
    const message = 'the server sends neither ETag nor Last-Modified: the index is downloaded again only on SIGHUP';
    this.#events?.log.warn({ url: this.#copy.name }, message);
  }
}
