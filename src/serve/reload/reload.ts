/**
 * Replaces index, overlay and certificate from their files while the service runs. Each is read and
 * checked before it is sent to the workers. A file that cannot be used is logged and reported by
 * `/readyz`, and the old version stays in use.
 */
import { basename } from 'node:path';
import { errorMessage } from '../../errors/error-message.ts';
import { readIndexFile } from '../../index-file/file.ts';
import type { Logger } from '../log.ts';
import type { ServedData, TlsPair } from '../threads/worker-messages.ts';
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
  readonly buildOverlay: (index: SharedArrayBuffer) => Promise<SharedArrayBuffer | undefined>;
  /** Returns undefined behind a proxy. */
  readonly loadCertificate: () => Promise<Certificate | undefined>;
}

export interface ReloadParts {
  readonly pool: WorkerPool;
  readonly sources: ReloadSources;
  /** Number of places in the index being served. */
  readonly servedPlaces: number | undefined;
  readonly notice: Notice;
  readonly log: Logger;
}

export interface ReloadResult {
  /** Whether everything was reloaded. */
  readonly isComplete: boolean;
  /** Places in the new index, without the overlay; undefined if the old data stay in use. */
  readonly places: number | undefined;
}

/** Also updates the notice. Never rejects. */
export async function reloadAll(parts: ReloadParts): Promise<ReloadResult> {
  const { pool, sources, notice, log } = parts;
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
  const certificate = await attempt('certificate', () => reloadCertificate(parts));
  const loaded = await attempt('index', async () => loadIndex(parts), sources.indexPath);
  const data = loaded && (await attempt('overlay', () => addOverlay(sources, loaded.index), sources.overlayPath));
  const version = data && (await attempt('index', () => reloadData(pool, data), sources.indexPath));
  notice.set('reload', problems.join('; '));
  await attempt('notice', () => pool.reload({ notice: notice.text }));
  const isComplete = problems.length === 0;
  if (isComplete) log.info({ data: version, certificate }, 'reloaded');
  return { isComplete, places: version === undefined ? undefined : loaded?.places };
}

export function tlsPairOf(certificate: Certificate | undefined): TlsPair | undefined {
  return certificate && { cert: certificate.cert, key: certificate.key };
}

/** Returns the fingerprint of the new certificate. */
async function reloadCertificate({ pool, sources }: ReloadParts): Promise<string | undefined> {
  const certificate = await sources.loadCertificate();
  if (certificate !== undefined) await pool.reload({ tls: tlsPairOf(certificate) });
  return certificate?.fingerprint;
}

function loadIndex({ sources, servedPlaces }: ReloadParts) {
  const index = readIndexFile(sources.indexPath);
  return { index, places: checkPlaceCount(index, { ...sources, servedPlaces }) };
}

async function addOverlay({ buildOverlay }: ReloadSources, index: SharedArrayBuffer): Promise<ServedData> {
  return { index, overlay: await buildOverlay(index) };
}

/** Tests the data with searches before the workers get them. Returns their version. */
async function reloadData(pool: WorkerPool, data: ServedData): Promise<string> {
  const version = await trySearches(data);
  await pool.reload({ data });
  return version;
}
