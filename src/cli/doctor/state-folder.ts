/** The state folder: whether the service can use it, and others cannot read its secrets. */

import { accessSync, constants, type Stats, statfsSync, statSync } from 'node:fs';
import { errorReason } from '../../errors/error-message.ts';
import { generatedFiles } from '../../serve/tls/certificate.ts';
import type { DoctorContext } from './check.ts';
import { existingFolder } from './disk.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';

const OTHERS = 0o007;
const OTHERS_MAY_WRITE = 0o002;
/** Magic numbers of statfs(2): NFS, SMB2, CIFS. */
const NETWORK_FILE_SYSTEMS: readonly number[] = [0x6969, 0xfe534d42, 0xff534d42];
/** On Windows modes and owners mean nothing. */
const HAS_MODES = process.platform !== 'win32';

export function checkStateFolder({ state }: DoctorContext): Verdict[] {
  const { path } = state;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [missingFolder(path)];
  if (!stats.isDirectory()) return [problem(`${path} is not a folder`, 'Name a folder with --state.')];
  const files = [state.keysPath, state.firstKeyPath, state.redisKeysPath, generatedFiles(path).keyPath];
  const verdicts = [...usability(path, stats), ...openFiles(path, stats, files)];
  return verdicts.length > 0 ? verdicts : [ok(`${path}, writable, for its owner only`)];
}

function missingFolder(path: string): Verdict {
  const parent = existingFolder(path);
  const reason = writeRefusal(parent);
  if (reason === undefined) return ok(`${path} does not exist yet: the first start creates it`);
  const advice = `Create the folder for the user of the service, or choose another with --state.`;
  return problem(`${path} does not exist and cannot be created in ${parent}: ${reason}`, advice);
}

function usability(path: string, stats: Stats): Verdict[] {
  const verdicts: Verdict[] = [];
  const reason = writeRefusal(path);
  if (reason !== undefined) {
    const advice = `Give ${path} to the user of the service (chown), and check that its disk is not mounted read-only.`;
    verdicts.push(problem(`${path} cannot be written: ${reason}`, advice));
  }
  const user = process.getuid?.();
  if (HAS_MODES && user !== undefined && stats.uid !== user) {
    const message = `${path} belongs to user ${stats.uid}, and this command runs as user ${user}`;
    verdicts.push(warning(message, 'Run the service and its commands as the owner of the folder.'));
  }
  if (NETWORK_FILE_SYSTEMS.includes(statfsSync(path).type)) {
    const advice = 'Choose a local disk with --state, or keep the keys in Redis (--redis).';
    verdicts.push(problem(`${path} is on a network file system, where SQLite cannot lock the key store`, advice));
  }
  return verdicts;
}

/** The folder and files with secrets that every user of the machine may use. */
function openFiles(folder: string, stats: Stats, files: readonly string[]): Verdict[] {
  if (!HAS_MODES) return [];
  const verdicts: Verdict[] = [];
  if (stats.mode & OTHERS_MAY_WRITE) {
    verdicts.push(problem(`every user of this machine may write to ${folder}`, `Run: chmod 700 ${folder}`));
  } else if (stats.mode & OTHERS) {
    verdicts.push(warning(`every user of this machine may list ${folder}`, `Run: chmod 700 ${folder}`));
  }
  for (const file of files) {
    if (isOpenToAll(file))
      verdicts.push(problem(`every user of this machine may read ${file}`, `Run: chmod 600 ${file}`));
  }
  return verdicts;
}

/** False if the file does not exist. */
export function isOpenToAll(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return HAS_MODES && stats !== undefined && (stats.mode & OTHERS) !== 0;
}

function writeRefusal(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return errorReason(error);
  }
}
