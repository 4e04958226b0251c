/**
 * Index, overlay and certificate anew from their files while the service answers. Each is read and checked whole before
 * any thread hears of it; what cannot be used is logged and told to whoever asks, and the old one stays.
 */
import { readIndexFile } from '../index-file/file.ts';
import type { Certificate } from './certificate.ts';
import type { Logger } from './log.ts';
import { reasonOf } from './usage-error.ts';
import type { Reloadable, ServedData } from './worker-messages.ts';
import type { WorkerPool } from './worker-pool.ts';

export interface ReloadSources {
  readonly indexPath: string;
  /** The overlay, made for this index; undefined where there is none. */
  readonly overlay: (index: SharedArrayBuffer) => Promise<SharedArrayBuffer | undefined>;
  readonly certificate: () => Promise<Certificate | undefined>;
}

export async function reload(pool: WorkerPool, sources: ReloadSources, log: Logger): Promise<void> {
  const problems: string[] = [];
  const attempt = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      const reason = reasonOf(error);
      problems.push(`${what} not reloaded: ${reason}`);
      log.error({ reason }, `${what} not reloaded: the old one goes on serving`);
      return undefined;
    }
  };
  const certificate = await attempt('certificate', sources.certificate);
  const data = await attempt('index', () => readData(sources));
  await pool.reload({
    ...(certificate && { tls: tlsPairOf(certificate) }),
    ...(data && { data }),
    problem: problems.join('; '),
  });
  const version = data && (await datasetVersion(data));
  log.info({ data: version, certificate: certificate?.fingerprint }, 'reloaded');
}

export function tlsPairOf(certificate: Certificate | undefined): Reloadable['tls'] {
  return certificate && { cert: certificate.cert, key: certificate.key };
}

/** The engine is loaded when it is first needed here: the thread that starts the others has no other use for it. */
async function datasetVersion({ index, overlay }: ServedData): Promise<string> {
  const { openEngine } = await import('../engine/open-engine.ts');
  return openEngine(index, overlay).dataset.version;
}

async function readData({ indexPath, overlay }: ReloadSources): Promise<ServedData> {
  const index = readIndexFile(indexPath);
  return { index, overlay: await overlay(index) };
}
