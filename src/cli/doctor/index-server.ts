/** The server of an index at a URL. */
import { existsSync } from 'node:fs';
import { isIndexUrl } from '../../datasets/index-choice.ts';
import { errorMessage } from '../../errors/error-message.ts';
import { systemClock } from '../../fetch/clock.ts';
import { formatStatus, openExchange } from '../../fetch/exchange.ts';
import { publicUrl } from '../../fetch/format-url.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';
import { servedIndexPath } from './index-data.ts';

const TIMEOUT_MS = 3000;
const ADVICE =
  'Check the URL and the server. For an authority of your own, set NODE_EXTRA_CA_CERTS. A presigned URL expires.';

export async function checkIndexServer(context: DoctorContext): Promise<Verdict[]> {
  const { index } = context.settings;
  if (index === undefined || !isIndexUrl(index)) return [];
  const url = new URL(index);
  const name = publicUrl(url); // without user, password and signature
  const reason = await refusal(url);
  if (reason === undefined) return [ok(`${name} answers`)];
  if (existsSync(servedIndexPath(context))) return [warning(`${name}: ${reason}. The copy is served`, ADVICE)];
  return [problem(`${name}: ${reason}. There is no copy to serve`, ADVICE)];
}

/** Asks for the first byte as the service would. Returns undefined if the server has it. */
async function refusal(url: URL): Promise<string | undefined> {
  try {
    const { response, close } = await openExchange(url, {
      headers: { range: 'bytes=0-0' },
      idleMs: TIMEOUT_MS,
      clock: systemClock,
    });
    close();
    const { statusCode = 0 } = response;
    return statusCode === 200 || statusCode === 206 ? undefined : `the server answered ${formatStatus(response)}`;
  } catch (error) {
    return errorMessage(error);
  }
}
