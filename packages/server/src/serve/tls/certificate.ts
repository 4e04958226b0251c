/** The certificate and key of the service, own or generated, and the authorities of its clients. */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { duplexPair } from 'node:stream';
import { connect, createSecureContext, type SecureContext, type SecureContextOptions, TLSSocket } from 'node:tls';
import { DAY_MS } from 'toponym-access/limits/quota-table';
import { errorMessage, errorReason, UsageError } from 'toponym-files/errors/errors';
import { makeFolder } from 'toponym-files/new-file';
import { readTextFile } from 'toponym-files/regular-file';
import { writePrivateFile } from 'toponym-files/replace-file';
import type { Logger } from '../log.ts';
import type { StateFolder } from '../state-folder.ts';

interface CertificateFiles {
  readonly certPath: string;
  readonly keyPath: string;
}

/** A certificate and its key, in PEM form. */
interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

export interface Certificate extends CertificateFiles, TlsPair {
  /** SHA-256, in the form that browsers and openssl show. */
  readonly fingerprint: string;
  readonly validTo: Date;
  readonly isSelfSigned: boolean;
}

const MAX_PEM_BYTES = 1024 * 1024;
// the longest that Apple's clients accept
const VALID_DAYS = 825;
const RENEW_BEFORE_DAYS = 30;

const COMMON_NAME = 'Toponym';

interface TlsMaterial extends TlsPair {
  /** Certificates of the authorities that sign client certificates; undefined if none are asked for. */
  readonly clientAuthorities?: string | undefined;
}

/** TLS options of the service, also used to check a certificate before it is served. */
export function secureContextOptions({ cert, key, clientAuthorities }: TlsMaterial): SecureContextOptions {
  return { minVersion: 'TLSv1.2', cert, key, ...(clientAuthorities !== undefined && { ca: clientAuthorities }) };
}

/** Throws UsageError if the pair cannot be used. */
export async function loadCertificate(files: CertificateFiles): Promise<Certificate> {
  const cert = readPem('certificate', files.certPath);
  const key = readPem('key', files.keyPath);
  const parsed = parseCertificate(cert, files.certPath);
  if (!parsed.checkPrivateKey(parseKey(key, files.keyPath))) {
    throw new UsageError(`The TLS key ${files.keyPath} does not belong to the certificate ${files.certPath}.`);
  }
  await checkHandshake({ cert, key }, files);
  const { fingerprint256: fingerprint, validToDate: validTo } = parsed;
  return { ...files, cert, key, fingerprint, validTo, isSelfSigned: isSelfSigned(parsed) };
}

/**
 * Loads the pair in the state folder, or generates one. A generated pair is replaced if it expires soon, or has a flaw
 * after a crash; a pair of the operator never is.
 */
export async function ensureCertificate(
  stateFolder: string,
  now: Date,
  onReplace: (reason: string) => void = () => {},
): Promise<Certificate> {
  const files = generatedFiles(stateFolder);
  const hasCertificate = existsSync(files.certPath);
  if (!hasCertificate && existsSync(files.keyPath)) {
    // the key may be the operator's
    throw new UsageError(
      `${files.certPath} is missing, and a new pair would replace the key ${files.keyPath}. Add the certificate of this key, or delete the key to have a new pair generated.`,
    );
  }
  const flaw = hasCertificate ? findGeneratedPairFlaw(files) : undefined;
  if (flaw !== undefined) {
    onReplace(flaw);
  } else if (hasCertificate) {
    const stored = await loadFromState(files);
    const expiresSoon = stored.validTo.getTime() - now.getTime() <= RENEW_BEFORE_DAYS * DAY_MS;
    if (!expiresSoon || !isGenerated(new X509Certificate(stored.cert))) return stored;
    onReplace(`it expires on ${stored.validTo.toISOString()}`);
  }
  await generateCertificate(files, now);
  return await loadCertificate(files);
}

/** The files of the generated pair, which may not exist. */
export function generatedFiles(stateFolder: string): CertificateFiles {
  return { certPath: join(stateFolder, 'tls', 'cert.pem'), keyPath: join(stateFolder, 'tls', 'key.pem') };
}

/** Returns undefined if the pair is the operator's own. */
export function findGeneratedPairFlaw({ certPath, keyPath }: CertificateFiles): string | undefined {
  try {
    const certificate = new X509Certificate(readPem('certificate', certPath));
    if (!isGenerated(certificate)) return undefined;
    if (!existsSync(keyPath)) return `${keyPath} is missing`;
    const key = createPrivateKey(readPem('key', keyPath));
    return certificate.checkPrivateKey(key) ? undefined : `${keyPath} does not belong to ${certPath}`;
  } catch {
    return undefined; // a damaged or unreadable file is reported when the pair is loaded
  }
}

export function isGenerated({ subject, issuer }: X509Certificate): boolean {
  return subject === `CN=${COMMON_NAME}` && issuer === subject;
}

function isSelfSigned(certificate: X509Certificate): boolean {
  return certificate.issuer === certificate.subject || certificate.verify(certificate.publicKey);
}

async function checkHandshake(pair: TlsPair, { certPath, keyPath }: CertificateFiles): Promise<void> {
  try {
    await tryHandshake(createSecureContext(secureContextOptions(pair)));
  } catch (error) {
    throw new UsageError(
      `The certificate ${certPath} with the key ${keyPath} cannot be used for TLS: ${errorMessage(error)}.`,
      { cause: error },
    );
  }
}

/** A handshake in memory, which rejects for errors that only clients see, such as a chain longer than they accept. */
async function tryHandshake(secureContext: SecureContext): Promise<void> {
  const [serverSide, clientSide] = duplexPair();
  const server = new TLSSocket(serverSide, { isServer: true, secureContext });
  const client = connect({ socket: clientSide, rejectUnauthorized: false });
  const { promise: failed, reject } = Promise.withResolvers<never>();
  server.on('error', reject);
  client.on('close', () => reject(new Error('the handshake was cut off')));
  try {
    await Promise.race([once(client, 'secureConnect'), failed]);
  } finally {
    client.on('error', () => {}).destroy(); // an error without a listener would end the process
    server.destroy();
  }
}

async function loadFromState(files: CertificateFiles): Promise<Certificate> {
  try {
    return await loadCertificate(files);
  } catch (error) {
    const advice = `Delete ${files.certPath} and ${files.keyPath} to have a new pair generated.`;
    throw new UsageError(`${errorMessage(error)} ${advice}`, { cause: error });
  }
}

async function generateCertificate(files: CertificateFiles, now: Date): Promise<void> {
  // imported only if needed: slow to load
  const { generate } = await import('selfsigned');
  // a day earlier, for clients whose clock is behind
  const validFromMs = now.getTime() - DAY_MS;
  const generated = await generate([{ name: 'commonName', value: COMMON_NAME }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(validFromMs),
    // the last second is part of the validity
    notAfterDate: new Date(validFromMs + VALID_DAYS * DAY_MS - 1000),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        // types of names in X.509: 2 is a DNS name, 7 an IP address
        altNames: [
          ...[...new Set(['localhost', hostname()])].map((value) => ({ type: 2, value }) as const),
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  try {
    makeFolder(dirname(files.keyPath));
    // the certificate first: after a crash, the next start sees that the pair was generated
    writePrivateFile(files.certPath, generated.cert);
    writePrivateFile(files.keyPath, generated.private);
  } catch (error) {
    throw new UsageError(`The generated certificate cannot be written: ${errorMessage(error)}.`, { cause: error });
  }
}

/** Throws UsageError. */
function readPem(what: string, path: string): string {
  try {
    return readTextFile(path, MAX_PEM_BYTES);
  } catch (error) {
    throw new UsageError(`The TLS ${what} ${path} cannot be read: ${errorReason(error)}.`, { cause: error });
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

export interface CertificateSettings {
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  /** File of the authorities that sign client certificates; undefined if clients need none. */
  readonly tlsClientCa: string | undefined;
  readonly behindProxy: boolean;
  readonly state: StateFolder;
}

export interface ServiceCertificate extends Certificate {
  readonly clientAuthorities: string | undefined;
}

/** ACME clients renew well before that. */
const EXPIRY_WARNING_MS = 14 * DAY_MS;

export async function loadServiceCertificate(
  settings: CertificateSettings,
  log: Logger,
): Promise<ServiceCertificate | undefined> {
  checkTlsSettings(settings);
  if (settings.behindProxy) return undefined;
  const certificate = await loadOwnCertificate(settings, log);
  const { certPath, validTo } = certificate;
  warnOfExpiry('the certificate', { path: certPath, validTo }, log); // the operator's pair is never renewed
  return { ...certificate, clientAuthorities: loadAuthorities(settings, log) };
}

/** Throws UsageError if the settings exclude each other. */
export function checkTlsSettings(settings: Omit<CertificateSettings, 'state'>): void {
  const { tlsCert, tlsKey, tlsClientCa, behindProxy } = settings;
  const isPairNamed = tlsCert !== undefined || tlsKey !== undefined;
  if (behindProxy && isPairNamed) {
    throw new UsageError('--behind-proxy serves plain HTTP: it cannot be combined with --tls-cert and --tls-key.');
  }
  if (behindProxy && tlsClientCa !== undefined) {
    throw new UsageError(
      '--behind-proxy serves plain HTTP: it cannot be combined with --tls-client-ca. Let the proxy check the certificates of clients.',
    );
  }
  if (isPairNamed && (tlsCert === undefined || tlsKey === undefined)) {
    throw new UsageError('--tls-cert and --tls-key belong together: give both or neither.');
  }
}

function loadOwnCertificate({ tlsCert, tlsKey, state }: CertificateSettings, log: Logger): Promise<Certificate> {
  if (tlsCert !== undefined && tlsKey !== undefined) return loadCertificate({ certPath: tlsCert, keyPath: tlsKey });
  return ensureCertificate(state.path, new Date(), (reason) =>
    log.warn({ reason }, 'the generated certificate is replaced: clients need a copy of the new one'),
  );
}

function loadAuthorities({ tlsClientCa: path }: CertificateSettings, log: Logger): string | undefined {
  if (path === undefined) return undefined;
  const { pem, authorities } = loadClientAuthorities(path);
  for (const authority of authorities) warnOfExpiry('an authority of clients', { path, ...authority }, log);
  return pem;
}

function warnOfExpiry(what: string, found: { path: string; validTo: Date; subject?: string }, log: Logger): void {
  const leftMs = found.validTo.getTime() - Date.now();
  if (leftMs > EXPIRY_WARNING_MS) return;
  log.warn(found, `${what} ${leftMs < 0 ? 'has expired' : 'expires soon'}`);
}

const CERTIFICATE_START = '-----BEGIN CERTIFICATE-----';

/** Throws UsageError if the file holds anything but certificates of authorities, or none. */
export function loadClientAuthorities(path: string) {
  const pem = readPem('client authorities', path);
  const [, ...blocks] = pem.split(CERTIFICATE_START);
  if (blocks.length === 0) throw new UsageError(`${path} does not hold a certificate in PEM form.`);
  // OpenSSL would silently skip a damaged block and all that follow it
  const authorities = blocks.map((block, i) =>
    parseAuthority(CERTIFICATE_START + block, `${path}, certificate ${i + 1}`),
  );
  return { pem, authorities };
}

function parseAuthority(block: string, name: string) {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(block);
  } catch (error) {
    throw new UsageError(`${name}: not valid in PEM form (${errorMessage(error)}).`, { cause: error });
  }
  const subject = certificate.subject.replaceAll('\n', ', ');
  if (!certificate.ca) {
    throw new UsageError(
      `${name} (${subject}) is not the certificate of an authority. Give the certificate that signs those of the clients.`,
    );
  }
  return { subject, validTo: certificate.validToDate };
}
