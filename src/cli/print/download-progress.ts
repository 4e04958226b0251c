/** Formats the progress of a download: bytes, rate and time left. */
import type { DownloadProgress } from '../../fetch/download.ts';
import { formatMegabytes } from './facts.ts';

export function formatDownload({ bytes, totalBytes, bytesPerSecond, secondsLeft }: DownloadProgress): string {
  const size =
    totalBytes === undefined ? formatMegabytes(bytes) : `${formatMegabytes(bytes)} of ${formatMegabytes(totalBytes)}`;
  const rate = bytesPerSecond === 0 ? '' : `, ${formatMegabytes(bytesPerSecond)}/s`;
  return `${size}${rate}${secondsLeft === undefined ? '' : `, ${formatDuration(Math.ceil(secondsLeft))} left`}`;
}

function formatDuration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
