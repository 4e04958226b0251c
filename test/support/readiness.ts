/** What a service serves and says about it: data version, the notice of `/readyz`, and its metric. */
import type { StartedService } from 'toponym-server/serve/serve';
import { CALL_PAUSE_MS, waitUntil } from './deadline.ts';
import type { RunningService } from './running-service.ts';

type Callable = Pick<RunningService, 'call'>;

/** The version of the data being served. */
export async function versionOf(service: Callable): Promise<string> {
  return (await service.call('/api/1/query', { form: {} })).json().dataset.version;
}

/** The current notice; undefined if there is none. */
export async function noticeOf(service: Callable): Promise<string | undefined> {
  return (await service.call('/readyz', { method: 'GET' })).json().notice;
}

/** Waits for a notice that matches, and returns it. */
export async function untilNotice(service: Callable, pattern: RegExp): Promise<string> {
  let notice: string | undefined;
  await waitUntil(
    `/readyz shows a notice like ${pattern}`,
    async () => {
      notice = await noticeOf(service);
      return notice !== undefined && pattern.test(notice);
    },
    CALL_PAUSE_MS,
  );
  return notice ?? '';
}

export async function untilNoNotice(service: Callable): Promise<void> {
  await waitUntil('/readyz shows no notice', async () => (await noticeOf(service)) === undefined, CALL_PAUSE_MS);
}

/** Waits, because the metrics of a thread that replies late are its last known ones. */
export async function untilReloadProblem({ metricsUrl = '' }: Pick<StartedService, 'metricsUrl'>, isProblem: boolean) {
  const line = new RegExp(`^toponym_reload_problem ${Number(isProblem)}$`, 'm');
  await waitUntil(`the metrics have ${line}`, async () => line.test(await (await fetch(metricsUrl)).text()));
}
