/** Whether this system can build the image without a container engine. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { DEBIAN_KEYRING } from '../../../deploy/image/base-images.ts';
import { outsideProgram } from '../../support/outside-programs.ts';

const PROBE = ['--mount', '--pid', '--net', '--fork', 'mount', '--types', 'tmpfs', 'x', '/mnt'];

/**
 * The `skip` option of tests that build the image: false, or the reason. Throws if CI=true, unless
 * the kernel forbids namespaces, which cannot be helped.
 */
export async function skipImageBuilds(): Promise<string | false> {
  const reason = await findMissing();
  if (reason !== false && process.env.CI === 'true') throw new Error(`the image cannot be built: ${reason}`);
  if (reason !== false) return reason;
  return spawnSync('unshare', PROBE).status === 0 ? false : 'this system does not allow new namespaces';
}

async function findMissing(): Promise<string | false> {
  if (process.getuid?.() !== 0) return 'only root can unpack a root folder';
  for (const name of ['ip'] as const) {
    const { skip } = outsideProgram(name);
    if (skip !== false) return skip;
  }
  return existsSync(DEBIAN_KEYRING) ? false : 'the package debian-archive-keyring is not installed';
}
