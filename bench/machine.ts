/** Describes the machine of a run in one sentence. */
import { cpus, loadavg, totalmem } from 'node:os';

export function describeMachine(): string {
  const cores = cpus();
  const model = cores[0]?.model.trim() ?? 'unknown processor';
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0]?.toFixed(1);
  return (
    `${new Date().toISOString().slice(0, 10)}, Node.js ${process.versions.node}, ${process.platform} ${process.arch}, ` +
    `${cores.length} × ${model}, ${gigabytes} GiB, load average ${load} at the start.`
  );
}
