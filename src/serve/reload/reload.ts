/**
 * Replaces index, overlay and certificate from their files while the service runs. Each is read and
 * checked before it is sent to the workers. A file that cannot be used is logged and reported by
 * `/readyz`, and the old version stays in use.
 */
import { basename } from 'node:path';
import { errorMessage } from '../../errors/error-message.ts';
import { readIndexFile } from '../../index-file/file.ts';
import type { Logger } from '../log.ts';
import type { TlsPair } from '../threads/worker-messages.ts';
import type { WorkerPool } from '../threads/worker-pool.ts';
import type { Certificate } from '../tls/certificate.ts';
import type { Notice } from './notice.ts';
import { checkPlaceCount } from './shrunken-data.ts';
import { trySearches } from './trial-search.ts';

export interface ReloadSources {
  readonly indexPath: string;
  readonly allowShrunkenData: boolean;
  readonly overlayPath: string | undefined;
  /** Builds the overlay for this index; undefined if none is configured. */
  readonly overlay: (index: SharedArrayBuffer) => Promise<SharedArrayBuffer | undefined>;
  readonly certificate: () => Promise<Certificate | undefined>;
}

export interface ReloadParts {
  readonly pool: WorkerPool;
  readonly sources: ReloadSources;
  readonly servedPlaces: number | undefined;
  readonly notice: Notice;
  readonly log: Logger;
}

export interface ReloadResult {
  /** Whether everything was reloaded. */
  readonly isComplete: boolean;
  /** The new data; undefined if the old data stay in use. */
  readonly data: NewData | undefined;
}

interface NewData {
  readonly version: string;
  /** Number of places in the index, without the overlay. */
  readonly places: number;
}

/** Never rejects. */
export async function reloadAll(parts: ReloadParts): Promise<ReloadResult> {
  const { pool, notice, log } = parts;
  const problems: string[] = [];
  const attempt = async <T>(what: string, step: () => Promise<T>, path = ''): Promise<T | undefined> => {
    try {
      return await step();
    } catch (error) {
      // the notice is public, and reasons quote file content
      const named = path === '' ? what : `${what} ${basename(path)}`;
      problems.push(`${named} not reloaded; the log says why`);
      log.error({ reason: errorMessage(error) }, `${what} not reloaded: the old one stays in use`);
      return undefined;
    }
  };
  const { indexPath, overlayPath } = parts.sources;
  const certificate = await attempt('certificate', () => reloadCertificate(parts));
  const read = await attempt('index', async () => readIndex(parts), indexPath);
  const built = read && (await attempt('overlay', () => buildOverlay(parts, read), overlayPath));
  const data = built && (await attempt('index', () => reloadData(parts, built), indexPath));
  notice.set('reload', problems.join('; '));
  await attempt('notice', () => pool.reload({ problem: notice.text }));
  const isComplete = problems.length === 0;
  if (isComplete) log.info({ data: data?.version, certificate }, 'reloaded');
  return { isComplete, data };
}

export function tlsPairOf(certificate: Certificate | undefined): TlsPair | undefined {
  return certificate && { cert: certificate.cert, key: certificate.key };
}

/** Returns the fingerprint. */
async function reloadCertificate({ pool, sources }: ReloadParts): Promise<string | undefined> {
  const certificate = await sources.certificate();
  if (certificate !== undefined) await pool.reload({ tls: tlsPairOf(certificate) });
  return certificate?.fingerprint;
}

interface ReadIndex {
  readonly index: SharedArrayBuffer;
  readonly places: number;
}

interface BuiltData extends ReadIndex {
  readonly overlay: SharedArrayBuffer | undefined;
}

function readIndex({ sources, servedPlaces }: ReloadParts): ReadIndex {
  const index = readIndexFile(sources.indexPath);
  return { index, places: checkPlaceCount(index, { ...sources, servedPlaces }) };
}

async function buildOverlay({ sources }: ReloadParts, read: ReadIndex): Promise<BuiltData> {
  return { ...read, overlay: await sources.overlay(read.index) };
}

async function reloadData({ pool }: ReloadParts, { index, overlay, places }: BuiltData): Promise<NewData> {
  const data = { index, overlay };
  const version = await trySearches(data);
  await pool.reload({ data });
  return { version, places };
}
