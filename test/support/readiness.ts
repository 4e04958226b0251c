import type { RunningService } from './running-service.ts';

/** What `/readyz` says besides being ready; undefined when there is nothing to say. */
export async function noticeOf(service: RunningService): Promise<string | undefined> {
  return (await service.call('/readyz', { method: 'GET' })).json().notice;
}

/** The notice, as soon as there is one that matches. */
export async function untilNotice(service: RunningService, pattern: RegExp): Promise<string> {
  for (;;) {
    const notice = await noticeOf(service);
    if (notice !== undefined && pattern.test(notice)) return notice;
  }
}

/** Until `/readyz` has nothing to say besides being ready. */
export async function untilNoNotice(service: RunningService): Promise<void> {
  while ((await noticeOf(service)) !== undefined);
}
