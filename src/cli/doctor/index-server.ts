/** The server of an index at a URL. */
import { existsSync } from 'node:fs';
import { isIndexUrl } from '../../datasets/index-url.ts';
import { errorMessage } from '../../errors/error-message.ts';
import { publicUrl } from '../../fetch/format-url.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';
import { fileStatus } from './http-get.ts';
import { servedIndexPath } from './index-data.ts';

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

/** Returns undefined if the server has the file, or redirects to it. */
async function refusal(url: URL): Promise<string | undefined> {
  try {
    const status = await fileStatus(url);
    return status >= 200 && status < 400 ? undefined : `the server answers with status ${status}`;
  } catch (error) {
    return errorMessage(error);
  }
}
