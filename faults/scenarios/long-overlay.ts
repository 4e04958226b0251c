/** An overlay that changes while the service runs: a little, and to very many lines. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningService } from '../../test/support/running-service.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { atMost, type Check, figure, formatMs, formatSeconds, ifAlone } from '../checks.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, startService } from '../service.ts';

const LINES = { full: { names: 60_000, places: 200_000 }, short: { names: 2000, places: 2000 } };
const MAX_HEALTH_MS = 500;
const MAX_SMALL_CHANGE_MS = 30_000;
const PAUSE_MS = 20;

export const longOverlay: Scenario = {
  name: 'long-overlay',
  promise:
    'A change of the overlay is served within half a minute. A long overlay takes longer, and health checks are answered within half a second meanwhile.',
  run: runOverlays,
};

async function runOverlays(run: FaultRun): Promise<readonly Check[]> {
  const { names, places } = LINES[run.scale];
  const overlay = join(temporaryFolder(run), 'overlay.ndjson');
  writeFileSync(overlay, overlayLine(0));
  const service = await startService(run, { args: ['--overlay', overlay] });
  const { key } = await createKey(run, service);
  const addedNames = (i: number) => (i === 0 ? overlayLine(0) : JSON.stringify({ addName: 'L1', name: `Longo ${i}` }));
  const overlays = [
    { title: 'one changed line', lines: [overlayLine(1)] },
    {
      title: `${names.toLocaleString('en')} names of one place`,
      lines: Array.from({ length: names }, (_, i) => addedNames(i)),
    },
    {
      title: `${places.toLocaleString('en')} added places`,
      lines: Array.from({ length: places }, (_, i) => overlayLine(i)),
    },
  ];
  const checks: Check[] = [];
  for (const [i, { title, lines }] of overlays.entries()) {
    run.print(title);
    writeFileSync(`${overlay}.new`, lines.join('\n'));
    renameSync(`${overlay}.new`, overlay);
    const { reloadMs, maxHealthMs, maxCallMs } = await reloadAndProbe(service, key, i + 1);
    checks.push(
      lines.length === 1
        ? ifAlone(run.scale, atMost(`${title}: time until served`, reloadMs, MAX_SMALL_CHANGE_MS, formatSeconds))
        : figure(`${title}: time until served`, formatSeconds(reloadMs)),
      figure(`${title}: longest call meanwhile`, formatMs(maxCallMs)),
      ifAlone(run.scale, atMost(`${title}: longest health check`, maxHealthMs, MAX_HEALTH_MS, formatMs)),
    );
  }
  return checks;
}

function overlayLine(i: number): string {
  const [lat, lng] = [((i * 7) % 1200) / 10 - 60, ((i * 13) % 3400) / 10 - 170];
  return JSON.stringify({ add: { id: `L${i + 1}`, name: `Longo ${i}`, lat, lng, country: 'FR', population: 1000 } });
}

async function reloadAndProbe(service: RunningService, key: string, reloads: number) {
  const startedMs = performance.now();
  let isReloaded = false;
  const reloaded = service.logged('"msg":"index reloaded"', reloads).then(() => {
    isReloaded = true;
  });
  const longest = async (probe: () => Promise<unknown>) => {
    let maxMs = 0;
    while (!isReloaded) {
      const sentMs = performance.now();
      await probe();
      maxMs = Math.max(maxMs, performance.now() - sentMs);
      await pause(PAUSE_MS);
    }
    return maxMs;
  };
  const [maxHealthMs, maxCallMs] = await Promise.all([
    longest(async () => (await fetch(new URL('/healthz', service.ready.metricsUrl))).text()),
    longest(() => service.call('/api/1/query', { form: { query: 'paris' }, key })),
    reloaded,
  ]);
  return { reloadMs: performance.now() - startedMs, maxHealthMs, maxCallMs };
}
