/**
 * Replaces index, overlay and certificate from their files while the service answers. Each is read and checked before it
 * is sent to a thread. What cannot be used is logged and shown by `/readyz`, and the old one goes on serving.
 */
import { basename } from 'node:path';
import { errorMessage } from '../../errors/error-message.ts';
import { readIndexFile } from '../../index-file/file.ts';
import type { Logger } from '../log.ts';
import type { TlsPair } from '../threads/worker-messages.ts';
import type { WorkerPool } from '../threads/worker-pool.ts';
import type { Certificate } from '../tls/certificate.ts';
import type { Notice } from './notice.ts';
import { admitIndex } from './shrunken-data.ts';
import { trySearches } from './trial-search.ts';

export interface ReloadSources {
  readonly indexPath: string;
  readonly allowShrunkenData: boolean;
  readonly overlayPath: string | undefined;
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
  const attempt = async <T>(what: string, takeUp: () => Promise<T>, path = ''): Promise<T | undefined> => {
    try {
      return await takeUp();
    } catch (error) {
      // reasons quote the content of files, and anyone may read the notice
      const named = path === '' ? what : `${what} ${basename(path)}`;
      problems.push(`${named} not reloaded; the log says why`);
      log.error({ reason: errorMessage(error) }, `${what} not reloaded: the old one goes on serving`);
      return undefined;
    }
  };
  const { indexPath, overlayPath } = parts.sources;
  const certificate = await attempt('certificate', () => takeUpCertificate(parts));
  const read = await attempt('index', async () => readIndex(parts), indexPath);
  const built = read && (await attempt('overlay', () => buildOverlay(parts, read), overlayPath));
  const data = built && (await attempt('index', () => takeUpData(parts, built), indexPath));
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

interface ReadIndex {
  readonly index: SharedArrayBuffer;
  readonly places: number;
}

interface BuiltData extends ReadIndex {
  readonly overlay: SharedArrayBuffer | undefined;
}

function readIndex({ sources, servedPlaces }: ReloadParts): ReadIndex {
  const index = readIndexFile(sources.indexPath);
  return { index, places: admitIndex(index, { ...sources, servedPlaces }) };
}

async function buildOverlay({ sources }: ReloadParts, read: ReadIndex): Promise<BuiltData> {
  return { ...read, overlay: await sources.overlay(read.index) };
}

async function takeUpData({ pool }: ReloadParts, { index, overlay, places }: BuiltData): Promise<TakenData> {
  const data = { index, overlay };
  const version = await trySearches(data);
  await pool.reload({ data });
  return { version, places };
}
