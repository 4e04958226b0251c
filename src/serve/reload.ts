/**
 * Replaces index, overlay and certificate from their files while the service answers. Each is read and checked before any
 * thread hears of it. What cannot be used is logged and shown by `/readyz`, and the old one goes on serving.
 */
import { readIndexFile } from '../index-file/file.ts';
import type { Certificate } from './certificate.ts';
import type { Logger } from './log.ts';
import type { Notice } from './notice.ts';
import { reasonOf } from './usage-error.ts';
import type { ServedData, TlsPair } from './worker-messages.ts';
import type { WorkerPool } from './worker-pool.ts';

export interface ReloadSources {
  readonly indexPath: string;
  /** The overlay, made for this index; undefined where there is none. */
  readonly overlay: (index: SharedArrayBuffer) => Promise<SharedArrayBuffer | undefined>;
  readonly certificate: () => Promise<Certificate | undefined>;
}

export interface ReloadParts {
  readonly pool: WorkerPool;
  readonly sources: ReloadSources;
  readonly notice: Notice;
  readonly log: Logger;
}

/** Never rejects. */
export async function reload({ pool, sources, notice, log }: ReloadParts): Promise<void> {
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
  const certificate = await attempt('certificate', () => takeUpCertificate(pool, sources));
  const version = await attempt('index', () => takeUpData(pool, sources));
  notice.set('reload', problems.join('; '));
  await attempt('notice', () => pool.reload({ problem: notice.text }));
  if (problems.length === 0) log.info({ data: version, certificate }, 'reloaded');
}

export function tlsPairOf(certificate: Certificate | undefined): TlsPair | undefined {
  return certificate && { cert: certificate.cert, key: certificate.key };
}

/** Returns the fingerprint. */
async function takeUpCertificate(pool: WorkerPool, sources: ReloadSources): Promise<string | undefined> {
  const certificate = await sources.certificate();
  if (certificate !== undefined) await pool.reload({ tls: tlsPairOf(certificate) });
  return certificate?.fingerprint;
}

/** Returns the version of the data. */
async function takeUpData(pool: WorkerPool, { indexPath, overlay }: ReloadSources): Promise<string> {
  const index = readIndexFile(indexPath);
  const data = { index, overlay: await overlay(index) };
  const version = await datasetVersion(data);
  await pool.reload({ data });
  return version;
}

/** The engine is loaded when it is first needed here: the thread that starts the others has no other use for it. */
async function datasetVersion({ index, overlay }: ServedData): Promise<string> {
  const { openEngine } = await import('../engine/open-engine.ts');
  return openEngine(index, overlay).dataset.version;
}
