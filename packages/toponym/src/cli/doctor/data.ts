/** Checks of what the service reads: certificate, index, overlay, IP databases and keys. */

import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { KeyRecord } from 'toponym-access/keys/key-record';
import { inspectKeys } from 'toponym-access/keys/sqlite-keys';
import { DAY_MS } from 'toponym-access/limits/quota-table';
import { formatDateAndAge } from 'toponym-engine/index-file/data-age';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { commandName } from 'toponym-files/program';
import { pathExists } from 'toponym-files/regular-file';
import { readCachedIndex } from 'toponym-gazetteer/datasets/embedded-index';
import { chooseIndex } from 'toponym-gazetteer/datasets/index-choice';
import { copyPath } from 'toponym-gazetteer/datasets/index-copy';
import { indexGazetteer } from 'toponym-gazetteer/datasets/index-gazetteer';
import { indexPaths, readUpdatedIndex, readVerifiedIndex } from 'toponym-gazetteer/datasets/load-index';
import { applyOverlay } from 'toponym-gazetteer/sources/overlay';
import { readOverlay } from 'toponym-gazetteer/sources/read-overlay';
import { openIpDatabases } from 'toponym-server/locate/ip-database';
import { MmdbReader } from 'toponym-server/locate/mmdb-reader';
import { checkPlaceCount } from 'toponym-server/serve/reload/new-data';
import {
  findGeneratedPairFlaw,
  generatedFiles,
  isGenerated,
  loadCertificate,
  loadClientAuthorities,
} from 'toponym-server/serve/tls/certificate';
import { formatCount, plural } from '../print/facts.ts';
import type { Check, DoctorContext, Level, Verdict, Verdicts } from './check.ts';

export const DATA_CHECKS: readonly Check[] = [
  {
    area: 'certificate',
    examine: checkCertificate,
    remedy:
      'Name a certificate with its chain and its key, in PEM form. Delete both files of tls/ in the state folder to have a new pair created.',
  },
  {
    area: 'index',
    examine: checkIndex,
    remedy: 'Correct the file, or build or copy it again; docs/data.md has the formats.',
  },
  { area: 'IP database', examine: checkIpDatabase, remedy: 'Name a MaxMind DB file with --ip-database, or "none".' },
  {
    area: 'keys',
    examine: checkKeys,
    remedy: 'Restore a backup of the keys, or give the file to the user of the service (chown).',
  },
];

async function* checkCertificate({ settings, state, now }: DoctorContext): Verdicts {
  const { tlsCert, tlsKey, tlsClientCa, behindProxy } = settings;
  if (behindProxy) return yield ['ok', 'none: the proxy has it (--behind-proxy)'];
  if (tlsCert !== undefined && tlsKey !== undefined) {
    yield await judgePair({ certPath: tlsCert, keyPath: tlsKey }, now);
  } else if (tlsCert === tlsKey) {
    const files = generatedFiles(state.path);
    const flaw = findGeneratedPairFlaw(files);
    if (!existsSync(files.certPath) && !existsSync(files.keyPath)) {
      yield ['ok', 'none yet: the first start creates a self-signed one'];
    } else if (flaw === undefined) yield await judgePair(files, now);
    else yield ['warning', `the generated pair cannot be used: ${flaw}`, 'Start the service: it creates a new pair.'];
  }
  if (tlsClientCa !== undefined) yield* judgeAuthorities(tlsClientCa, now);
}

async function judgePair(files: Parameters<typeof loadCertificate>[0], now: Date): Promise<Verdict> {
  const { cert, certPath, isSelfSigned } = await loadCertificate(files);
  const certificate = new X509Certificate(cert);
  const { subjectAltName, issuer, validFromDate, validToDate } = certificate;
  if (subjectAltName === undefined) {
    const message = `${certPath} names no host (subjectAltName), so clients refuse it`;
    return ['problem', message, 'Get a certificate for the names of the service.'];
  }
  if (validFromDate > now) {
    const message = `${certPath} is valid only from ${validFromDate.toISOString()} on`;
    return ['problem', message, 'Check the clock of this machine, or wait.'];
  }
  const names = subjectAltName.replaceAll(/(DNS|IP Address):/g, '');
  const origin = isSelfSigned ? 'self-signed' : `signed by ${issuer.replaceAll('\n', ', ')}`;
  const remedy = isGenerated(certificate)
    ? 'Restart the service or send it SIGHUP: it creates a new certificate. Clients need a copy of it.'
    : 'Renew it. The service loads the files on SIGHUP, or by itself if --tls-cert names them.';
  const [level, message] = judgeEnd(`${certPath} for ${names}, ${origin}`, validToDate, now);
  return [level, message, remedy];
}

function* judgeAuthorities(path: string, now: Date): Generator<Verdict> {
  const { authorities } = loadClientAuthorities(path);
  const isUsable = authorities.some(({ validTo }) => validTo > now);
  for (const { subject, validTo: end } of authorities) {
    const remedy =
      end < now && isUsable
        ? 'Delete it from the file if the others sign the certificates of all clients.'
        : 'Add the new certificate of the authority to the file; a running service loads it by itself.';
    const [level, message] = judgeEnd(`authority ${subject} of clients in ${path}`, end, now);
    yield [level === 'problem' && isUsable ? 'warning' : level, message, remedy];
  }
}

const EXPIRY_WARNING_DAYS = 30;

function judgeEnd(what: string, end: Date, now: Date): readonly [Level, string] {
  if (end <= now) return ['problem', `${what}: expired on ${formatDay(end)}`];
  const days = Math.floor((end.getTime() - now.getTime()) / DAY_MS);
  return [days < EXPIRY_WARNING_DAYS ? 'warning' : 'ok', `${what}, until ${formatDay(end)} (${plural(days, 'day')})`];
}

function formatDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

async function* checkIndex({ settings, state }: DoctorContext): Verdicts {
  const choice = chooseIndex(settings.index, state.indexFolder);
  const paths =
    choice.kind === 'url' ? [copyPath(choice.url, state.indexFolder)] : indexPaths(choice, state.indexFolder);
  const path = paths.find(existsSync) ?? paths[0] ?? '';
  const isOfUser = choice.kind === 'file' || choice.kind === 'updated';
  if (!isOfUser && !existsSync(path)) return yield ['ok', 'none yet: the first start builds or downloads it'];
  const read =
    choice.kind === 'file' ? readVerifiedIndex : choice.kind === 'updated' ? readUpdatedIndex : readCachedIndex;
  const index = read(path);
  if (index === undefined) {
    return yield ['warning', `${path} is damaged`, 'Start the service: it builds or downloads this index again.'];
  }
  const { allowShrunkenData, overlay } = settings;
  const { version, places } = checkPlaceCount(index, { name: path, allowShrunkenData, served: undefined });
  yield ['ok', `${path}: ${version}, ${formatCount(places)} places, verified`];
  if (overlay === undefined) return;
  const overlayPath = resolve(overlay);
  applyOverlay(indexGazetteer(openIndex(index)), readOverlay(overlayPath), overlayPath);
  yield ['ok', `overlay ${overlay} fits the index`];
}

function* checkIpDatabase({ settings: { ipDatabase }, now }: DoctorContext): Generator<Verdict> {
  if (ipDatabase?.[0] === 'none') return yield ['ok', 'none, as set: aroundLatLngViaIP locates no address'];
  const warnings: string[] = [];
  const databases = openIpDatabases(ipDatabase, (text) => warnings.push(text));
  for (const text of warnings) {
    yield ['warning', text, 'Install the optional package (npm install), or name .mmdb files.'];
  }
  for (const { path, file } of databases) {
    const { builtAt } = new MmdbReader(file).metadata;
    yield ['ok', `${path} of ${formatDateAndAge(builtAt, now)}`];
  }
}

function checkKeys({ settings, state, now }: DoctorContext): Iterable<Verdict> {
  if (settings.redis !== undefined) return []; // the check of Redis has them
  if (!pathExists(state.keysPath)) return [['ok', 'none yet: the first start creates one']];
  return judgeKeys(inspectKeys(state.keysPath), state.keysPath, now);
}

/** `location` is where the keys are. */
export function* judgeKeys(records: readonly KeyRecord[], location: string, now: Date): Generator<Verdict> {
  if (records.length === 0) return yield ['ok', `${location}: no keys yet, the first start creates one`];
  const stateOf = ({ revokedAt, expiresAt = Number.POSITIVE_INFINITY }: KeyRecord) =>
    revokedAt !== undefined ? 'revoked' : expiresAt <= now.getTime() ? 'expired' : 'valid';
  const { valid = [], expired = [], revoked = [] } = Object.groupBy(records, stateOf);
  const unused = valid.filter(({ lastUsedAt }) => lastUsedAt === undefined);
  const message = `${location}: ${plural(valid.length, 'valid key')} (${unused.length} never used), ${expired.length} expired, ${revoked.length} revoked`;
  if (valid.length > 0) return yield ['ok', message];
  yield ['problem', `${message}. Every call is refused`, `Create a key: ${commandName()} keys create --label NAME`];
}
