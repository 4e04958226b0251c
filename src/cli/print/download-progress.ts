/** The progress of a download as a stage, counted in bytes. */
import type { DownloadProgress } from '../../fetch/download.ts';
import type { StageProgress } from './progress-line.ts';

export function downloadStage(stage: string, download: DownloadProgress): StageProgress {
  const { bytes, totalBytes, bytesPerSecond, secondsLeft } = download;
  return {
    stage,
    done: bytes,
    total: totalBytes,
    unit: 'bytes',
    perSecond: bytesPerSecond === 0 ? undefined : bytesPerSecond,
    secondsLeft,
  };
}
