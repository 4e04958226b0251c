/** What the service needs for TLS: its certificate, and the authorities of its clients. */

import { X509Certificate } from 'node:crypto';
import { errorMessage, UsageError } from '../../errors/errors.ts';
import type { Logger } from '../log.ts';
import type { StateFolder } from '../state/state-folder.ts';
import { type Certificate, ensureCertificate, loadCertificate, readPem } from './certificate.ts';

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

/** 14 days: ACME clients renew well before that. */
const EXPIRY_WARNING_MS = 14 * 86_400_000;

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

interface ClientAuthority {
  readonly subject: string;
  readonly validTo: Date;
}

interface ClientAuthorities {
  readonly pem: string;
  /** In the order of the file; never empty. */
  readonly authorities: readonly ClientAuthority[];
}

/** Throws UsageError if the file holds anything but certificates of authorities. */
export function loadClientAuthorities(path: string): ClientAuthorities {
  const pem = readPem('client authorities', path);
  const [, ...blocks] = pem.split(CERTIFICATE_START);
  if (blocks.length === 0) throw new UsageError(`${path} does not hold a certificate in PEM form.`);
  // OpenSSL would silently skip a damaged block and all that follow it
  const authorities = blocks.map((block, i) =>
    parseAuthority(CERTIFICATE_START + block, `${path}, certificate ${i + 1}`),
  );
  return { pem, authorities };
}

function parseAuthority(block: string, name: string): ClientAuthority {
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
