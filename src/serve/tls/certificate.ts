/**
 * The certificate and key the service speaks TLS with: the operator's own pair, or one made on the first start and kept.
 * A pair that does not load, does not belong together or that OpenSSL does not serve is refused before anything listens
 * or is replaced.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { errorMessage } from '../../errors/error-message.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { writePrivateFile } from '../../files/private-file.ts';
import { readTextFile } from '../../files/regular-file.ts';
import type { TlsPair } from '../threads/worker-messages.ts';
import { secureContextOptions } from './secure-context.ts';
import { tryHandshake } from './trial-handshake.ts';

export interface CertificateFiles {
  readonly certPath: string;
  readonly keyPath: string;
}

export interface Certificate extends CertificateFiles {
  /** PEM */
  readonly cert: string;
  readonly key: string;
  /** SHA-256, upper-case hexadecimal pairs with colons, as browsers and openssl show it. */
  readonly fingerprint: string;
  readonly validTo: Date;
}

const MAX_PEM_BYTES = 1024 * 1024;
const DAY_MS = 86_400_000;
// 825 days: the longest that Apple's clients accept for a certificate the user trusts
const VALID_DAYS = 825;
const RENEW_BEFORE_DAYS = 30;

const COMMON_NAME = 'Toponym';

export async function loadCertificate(files: CertificateFiles): Promise<Certificate> {
  const cert = readPem('certificate', files.certPath);
  const key = readPem('key', files.keyPath);
  const parsed = parseCertificate(cert, files.certPath);
  if (!parsed.checkPrivateKey(parseKey(key, files.keyPath))) {
    throw new UsageError(`The TLS key ${files.keyPath} does not belong to the certificate ${files.certPath}.`);
  }
  await tryForTls({ cert, key }, files);
  return { ...files, cert, key, fingerprint: parsed.fingerprint256, validTo: parsed.validToDate };
}

/**
 * The pair kept in the state folder, made when there is none yet or when it is about to expire. A pair made by the
 * service is made again if a file is missing or the two do not match, as after a crash between writing them;
 * `onReplaced` is then told why.
 */
export async function ensureCertificate(
  stateFolder: string,
  now: Date,
  onReplaced: (reason: string) => void = () => {},
): Promise<Certificate> {
  const files = { certPath: join(stateFolder, 'tls', 'cert.pem'), keyPath: join(stateFolder, 'tls', 'key.pem') };
  if (existsSync(files.certPath) || existsSync(files.keyPath)) {
    const flaw = flawOfOwnPair(files);
    if (flaw === undefined) {
      const kept = await loadKept(files);
      if (kept.validTo.getTime() - now.getTime() > RENEW_BEFORE_DAYS * DAY_MS) return kept;
    } else {
      onReplaced(flaw);
    }
  }
  await makeCertificate(files, now);
  return await loadCertificate(files);
}

/** Why the pair must be made again; undefined also if the certificate was not made by the service. */
function flawOfOwnPair({ certPath, keyPath }: CertificateFiles): string | undefined {
  if (!existsSync(certPath)) return `${certPath} is missing`;
  try {
    const certificate = new X509Certificate(readPem('certificate', certPath));
    if (certificate.subject !== `CN=${COMMON_NAME}` || certificate.issuer !== certificate.subject) return undefined;
    if (!existsSync(keyPath)) return `${keyPath} is missing`;
    const key = createPrivateKey(readPem('key', keyPath));
    return certificate.checkPrivateKey(key) ? undefined : `${keyPath} does not belong to ${certPath}`;
  } catch {
    return undefined; // damaged or unreadable: loading the pair says so
  }
}

/** With the options of the server: it also reads the chain, and refuses keys that are too weak. */
async function tryForTls(pair: TlsPair, { certPath, keyPath }: CertificateFiles): Promise<void> {
  try {
    await tryHandshake(createSecureContext(secureContextOptions(pair)));
  } catch (error) {
    throw new UsageError(
      `The certificate ${certPath} with the key ${keyPath} cannot be used for TLS: ${errorMessage(error)}.`,
      { cause: error },
    );
  }
}

async function loadKept(files: CertificateFiles): Promise<Certificate> {
  try {
    return await loadCertificate(files);
  } catch (error) {
    const advice = `Delete ${files.certPath} and ${files.keyPath} to have a new pair made.`;
    throw new UsageError(`${errorMessage(error)} ${advice}`, { cause: error });
  }
}

async function makeCertificate(files: CertificateFiles, now: Date): Promise<void> {
  // needed once in the life of an installation, and slow to load
  const { generate } = await import('selfsigned');
  const made = await generate([{ name: 'commonName', value: COMMON_NAME }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now.getTime() - DAY_MS),
    notAfterDate: new Date(now.getTime() + VALID_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...[...new Set(['localhost', hostname()])].map((value) => ({ type: 2, value }) as const),
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  try {
    mkdirSync(join(files.keyPath, '..'), { recursive: true, mode: 0o700 });
    writePrivateFile(files.keyPath, made.private);
    writePrivateFile(files.certPath, made.cert);
  } catch (error) {
    throw new UsageError(`The certificate cannot be kept: ${errorMessage(error)}.`, { cause: error });
  }
}

function readPem(what: string, path: string): string {
  try {
    return readTextFile(path, MAX_PEM_BYTES);
  } catch (error) {
    throw new UsageError(`The TLS ${what} ${path} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
}

function parseCertificate(pem: string, path: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new UsageError(`${path} does not hold a certificate in PEM form (${errorMessage(error)}).`, { cause: error });
  }
}

function parseKey(pem: string, path: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw new UsageError(`${path} does not hold an unencrypted private key in PEM form (${errorMessage(error)}).`, {
      cause: error,
    });
  }
}
