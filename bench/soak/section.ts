/** Resident memory of one service over millions of requests. */
import { join } from 'node:path';
import type { BenchData } from '../bench-data.ts';
import { createRequests, writeRequests } from '../http/requests.ts';
import { runWrk } from '../http/wrk.ts';
import { residentBytes } from '../process-usage.ts';
import { findProgram } from '../program.ts';
import { formatCount, formatMegabytes, formatPercent, type SectionReport, skippedSection } from '../report.ts';
import type { RunOptions } from '../run-options.ts';
import { createState, startService } from '../service.ts';

const TITLE = 'Memory over many requests';
const RUN_SECONDS = 20;
const MILLION = 1_000_000;

interface Sample {
  readonly requests: number;
  readonly bytes: number;
}

export async function measureSoak(data: BenchData, options: RunOptions): Promise<SectionReport> {
  const program = findProgram('wrk');
  if (program === undefined) return skippedSection(TITLE, 'wrk is not installed (Debian: apt install wrk)');
  if (process.platform !== 'linux') return skippedSection(TITLE, 'memory is read from /proc, which only Linux has');
  const requestsFile = join(data.folder, 'requests.tsv');
  writeRequests(requestsFile, createRequests(data.places, 0));
  const state = await createState(data.folder, data.indexFile);
  const service = await startService(state.folder, data.indexFile);
  const samples: Sample[] = [];
  let requests = 0;
  let failed = 0;
  try {
    while (requests < options.soakRequests) {
      const result = await runWrk({ program, url: service.url, requestsFile, key: state.key, seconds: RUN_SECONDS });
      requests += result.requests;
      failed += result.failed;
      if (requests >= (samples.length + 1) * MILLION) {
        samples.push({ requests, bytes: residentBytes(service.pid) });
        console.log(`  ${formatCount(requests)} requests, ${formatMegabytes(residentBytes(service.pid))}`);
      }
    }
  } finally {
    await service.stop();
  }
  return createReport(samples, failed);
}

function createReport(samples: readonly Sample[], failed: number): SectionReport {
  const [first] = samples;
  return {
    title: TITLE,
    method: [
      'One service with default settings (one thread per core, the embedded IP database) receives the request mix of the HTTPS section over ' +
        `persistent connections. wrk runs on the same cores. ${formatCount(failed)} requests failed.`,
    ],
    tables: [
      {
        title: 'Resident memory',
        columns: ['after requests', 'resident', 'relative to the first row'],
        rows: everyThird(samples).map(({ requests, bytes }) => [
          formatCount(requests),
          formatMegabytes(bytes),
          formatPercent(bytes / (first?.bytes ?? bytes)),
        ]),
      },
    ],
    panels: [],
    skipped: [],
  };
}

/** Every third sample, which shows a growth as well as all of them. */
function everyThird(samples: readonly Sample[]): Sample[] {
  return samples.filter((_, i) => i % 3 === 0);
}
