/** The notice of `/readyz`. */
import { CALL_PAUSE_MS, waitUntil } from './deadline.ts';
import type { RunningService } from './running-service.ts';

type Callable = Pick<RunningService, 'call'>;

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
