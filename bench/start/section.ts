/** Time from process start to the first response, with the index already built, and the memory of the idle service. */
import type { BenchData } from '../bench-data.ts';
import { residentBytes } from '../process-usage.ts';
import { formatMegabytes, formatUs, type SectionReport } from '../report.ts';
import type { RunOptions } from '../run-options.ts';
import { createState, post, startService } from '../service.ts';
import { overRounds } from '../statistics.ts';

const CALL = { path: '/api/1/query', body: 'query=paris' };

export async function measureStart({ folder, indexFile }: BenchData, options: RunOptions): Promise<SectionReport> {
  const state = await createState(folder, indexFile);
  const readyMs: number[] = [];
  const responseMs: number[] = [];
  const memory: number[] = [];
  for (let i = 0; i < options.starts; i++) {
    const begin = performance.now();
    const service = await startService(state.folder, indexFile);
    readyMs.push(performance.now() - begin);
    await post(service.url, CALL, { state });
    responseMs.push(performance.now() - begin);
    if (process.platform === 'linux') memory.push(residentBytes(service.pid));
    await service.stop();
  }
  const row = (name: string, values: readonly number[], format: (value: number) => string) => {
    const { median, min, max } = overRounds(values);
    return [name, format(median), `${format(min)} to ${format(max)}`];
  };
  const milliseconds = (value: number) => formatUs(value * 1000);
  return {
    title: 'Start',
    method: [
      `\`toponym serve\` with default settings (one thread per core, the embedded IP database), run from source ${options.starts} times. ` +
        `The first response is to \`POST ${CALL.path}\` over a new TLS connection.`,
    ],
    tables: [
      {
        title: 'Time from process start',
        columns: ['until', 'median', 'spread'],
        rows: [
          row('ready', readyMs, milliseconds),
          row('first response', responseMs, milliseconds),
          ...(memory.length > 0 ? [row('resident memory when idle', memory, formatMegabytes)] : []),
        ],
      },
    ],
    panels: [],
    skipped: [],
  };
}
