/**
 * Replaces index, overlay and certificate from their files while the service answers. Each is read and checked before any
 * thread hears of it. What cannot be used is logged and shown by `/readyz`, and the old one goes on serving.
 */
import { readIndexFile } from '../index-file/file.ts';
import type { Certificate } from './certificate.ts';
import type { Logger } from './log.ts';
import type { Notice } from './notice.ts';
import { admitIndex } from './shrunken-data.ts';
import { trySearches } from './trial-search.ts';
import { reasonOf } from './usage-error.ts';
import type { TlsPair } from './worker-messages.ts';
import type { WorkerPool } from './worker-pool.ts';

export interface ReloadSources {
  readonly indexPath: string;
  readonly allowShrunkenData: boolean;
  /** The overlay, made for this index; undefined where there is none. */
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

export interface Reloaded {
  /** Whether everything could be taken up. */
  readonly isWhole: boolean;
  /** What was taken up of index and overlay. */
  readonly data: TakenData | undefined;
}

interface TakenData {
  readonly version: string;
  /** In the index without its overlay. */
  readonly places: number;
}

/** Never rejects. */
export async function reload(parts: ReloadParts): Promise<Reloaded> {
  const { pool, notice, log } = parts;
  const problems: string[] = [];
  const attempt = async <T>(what: string, takeUp: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await takeUp();
    } catch (error) {
      const reason = reasonOf(error);
      problems.push(`${what} not reloaded: ${reason}`);
      log.error({ reason }, `${what} not reloaded: the old one goes on serving`);
      return undefined;
    }
  };
  const certificate = await attempt('certificate', () => takeUpCertificate(parts));
  const data = await attempt('index', () => takeUpData(parts));
  notice.set('reload', problems.join('; '));
  await attempt('notice', () => pool.reload({ problem: notice.text }));
  const isWhole = problems.length === 0;
  if (isWhole) log.info({ data: data?.version, certificate }, 'reloaded');
  return { isWhole, data };
}

export function tlsPairOf(certificate: Certificate | undefined): TlsPair | undefined {
  return certificate && { cert: certificate.cert, key: certificate.key };
}

/** Returns the fingerprint. */
async function takeUpCertificate({ pool, sources }: ReloadParts): Promise<string | undefined> {
  const certificate = await sources.certificate();
  if (certificate !== undefined) await pool.reload({ tls: tlsPairOf(certificate) });
  return certificate?.fingerprint;
}

async function takeUpData({ pool, sources, servedPlaces }: ReloadParts): Promise<TakenData> {
  const index = readIndexFile(sources.indexPath);
  const places = admitIndex(index, { ...sources, servedPlaces });
  const data = { index, overlay: await sources.overlay(index) };
  const version = await trySearches(data);
  await pool.reload({ data });
  return { version, places };
}
