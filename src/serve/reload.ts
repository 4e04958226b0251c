/**
 * Index and certificate anew from their files while the service answers. Each is read and checked whole before any thread
 * hears of it; one that cannot be used is logged, and the old one stays.
 */
import { openEngine } from '../engine/open-engine.ts';
import { readIndexFile } from '../index-file/file.ts';
import type { Certificate } from './certificate.ts';
import type { Logger } from './log.ts';
import { reasonOf } from './usage-error.ts';
import type { Reloadable } from './worker-messages.ts';
import type { WorkerPool } from './worker-pool.ts';

export interface ReloadSources {
  readonly indexPath: string;
  readonly certificate: () => Promise<Certificate | undefined>;
}

export async function reload(pool: WorkerPool, sources: ReloadSources, log: Logger): Promise<void> {
  const certificate = await readCertificate(sources, log);
  const index = readIndex(sources, log);
  await pool.reload({ ...(certificate && { tls: tlsPairOf(certificate) }), ...(index && { index: index.bytes }) });
  log.info({ data: index?.version, certificate: certificate?.fingerprint }, 'reloaded');
}

export function tlsPairOf(certificate: Certificate | undefined): Reloadable['tls'] {
  return certificate && { cert: certificate.cert, key: certificate.key };
}

async function readCertificate(sources: ReloadSources, log: Logger): Promise<Certificate | undefined> {
  try {
    return await sources.certificate();
  } catch (error) {
    log.error({ reason: reasonOf(error) }, 'certificate not reloaded: the old one goes on serving');
    return undefined;
  }
}

function readIndex({ indexPath }: ReloadSources, log: Logger) {
  try {
    const bytes = readIndexFile(indexPath);
    return { bytes, version: openEngine(bytes).dataset.version };
  } catch (error) {
    log.error({ reason: reasonOf(error) }, 'index not reloaded: the old one goes on serving');
    return undefined;
  }
}
