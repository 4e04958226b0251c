/** The certificate, its key and its end; the authorities of client certificates. */
import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { errorMessage } from '../../errors/error-message.ts';
import { UsageError } from '../../errors/usage-error.ts';
import {
  type Certificate,
  type CertificateFiles,
  findGeneratedPairFlaw,
  generatedFiles,
  isGenerated,
  loadCertificate,
} from '../../serve/tls/certificate.ts';
import { type ClientAuthority, loadClientAuthorities } from '../../serve/tls/client-authorities.ts';
import { daysBetween, formatDay, formatDays } from './age.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';
import { isOpenToAll } from './state-folder.ts';

const WARNING_DAYS = 30;

export async function checkCertificate(context: DoctorContext): Promise<Verdict[]> {
  const { tlsCert, tlsKey, tlsClientCa, behindProxy } = context.settings;
  if (behindProxy) return [ok('none: the proxy has it (--behind-proxy)')];
  if ((tlsCert === undefined) !== (tlsKey === undefined)) return []; // the settings are refused
  const pair =
    tlsCert !== undefined && tlsKey !== undefined
      ? await checkOwnPair({ certPath: tlsCert, keyPath: tlsKey }, context.now)
      : await checkGeneratedPair(generatedFiles(context.state.path), context.now);
  return tlsClientCa === undefined ? pair : [...pair, ...checkAuthorities(tlsClientCa, context.now)];
}

async function checkOwnPair(files: CertificateFiles, now: Date): Promise<Verdict[]> {
  const certificate = await tryLoad(files);
  if (typeof certificate === 'string') {
    return [
      problem(
        certificate,
        'Give --tls-cert the certificate followed by its chain, and --tls-key its key, in PEM form.',
      ),
    ];
  }
  const verdicts = [examineCertificate(certificate, now, 'Renew it: a running service loads the new files by itself.')];
  if (isOpenToAll(files.keyPath)) {
    const advice = `Run: chmod 600 ${files.keyPath} (or, for a Secret of Kubernetes, set defaultMode: 0400).`;
    // not a problem: in a container there are no other users
    verdicts.push(warning(`every user of this machine may read the key ${files.keyPath}`, advice));
  }
  return verdicts;
}

async function checkGeneratedPair(files: CertificateFiles, now: Date): Promise<Verdict[]> {
  const { certPath, keyPath } = files;
  if (!existsSync(certPath)) {
    if (!existsSync(keyPath)) return [ok('none yet: the first start creates a self-signed one')];
    const advice = `Add the certificate of this key, or delete the key to have a new pair created.`;
    return [problem(`${certPath} is missing, but its key ${keyPath} is there`, advice)];
  }
  const flaw = findGeneratedPairFlaw(files);
  if (flaw !== undefined)
    return [warning(`the generated pair cannot be used: ${flaw}`, 'Start the service: it creates a new pair.')];
  const certificate = await tryLoad(files);
  if (typeof certificate === 'string')
    return [problem(certificate, `Delete ${certPath} and ${keyPath} to have a new pair created.`)];
  const canRenew = isGenerated(new X509Certificate(certificate.cert));
  const renewal = canRenew
    ? 'Restart the service or send it SIGHUP: it creates a new certificate. Clients need a copy of it.'
    : `Renew ${certPath} and ${keyPath}, then send SIGHUP to the service.`;
  return [examineCertificate(certificate, now, renewal)];
}

function examineCertificate({ cert, certPath, isSelfSigned }: Certificate, now: Date, renewal: string): Verdict {
  const { subjectAltName, issuer, validFromDate, validToDate } = new X509Certificate(cert);
  if (subjectAltName === undefined) {
    return problem(
      `${certPath} names no host (subjectAltName), so clients refuse it`,
      'Get a certificate for the names of the service.',
    );
  }
  if (validFromDate > now) {
    return problem(
      `${certPath} is valid only from ${validFromDate.toISOString()} on`,
      'Check the clock of this machine, or wait.',
    );
  }
  const names = subjectAltName.replaceAll(/(DNS|IP Address):/g, '');
  const origin = isSelfSigned ? 'self-signed' : `signed by ${issuer.replaceAll('\n', ', ')}`;
  return judgeEnd(`${certPath} for ${names}, ${origin}`, validToDate, { now, renewal });
}

function checkAuthorities(path: string, now: Date): Verdict[] {
  try {
    const { authorities } = loadClientAuthorities(path);
    const ends = authorities.map(({ validTo }) => validTo.getTime()).sort((a, b) => a - b);
    // the first end to come, or the last one if all have expired
    const end = new Date(ends.find((time) => time > now.getTime()) ?? ends.at(-1) ?? 0);
    const renewal = 'Add the new certificate of the authority to the file; a running service loads it by itself.';
    const verdict = judgeEnd(`authorities of clients in ${path}`, end, { now, renewal });
    if (verdict.level === 'problem') return [verdict];
    const expired = authorities.filter(({ validTo }) => validTo <= now);
    return [...expired.map((authority) => expiredAuthority(path, authority)), verdict];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [problem(error.message, 'Give --tls-client-ca the certificates of the authorities in PEM form.')];
  }
}

function expiredAuthority(path: string, { subject, validTo }: ClientAuthority): Verdict {
  const message = `authority ${subject} of clients in ${path}: expired on ${formatDay(validTo)}`;
  return warning(message, 'Delete it from the file if the others sign the certificates of all clients.');
}

function judgeEnd(what: string, end: Date, { now, renewal }: { now: Date; renewal: string }): Verdict {
  const days = daysBetween(now, end);
  if (end <= now) return problem(`${what}: expired on ${formatDay(end)}`, renewal);
  const message = `${what}, until ${formatDay(end)} (${formatDays(days)})`;
  return days < WARNING_DAYS ? warning(message, renewal) : ok(message);
}

/** Returns the reason if the pair cannot be used. */
async function tryLoad(files: CertificateFiles): Promise<Certificate | string> {
  try {
    return await loadCertificate(files);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return errorMessage(error);
  }
}
