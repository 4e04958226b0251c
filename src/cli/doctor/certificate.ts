/** Checks of the certificate, its key and its end, and of the authorities of client certificates. */
import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  findGeneratedPairFlaw,
  generatedFiles,
  isGenerated,
  loadCertificate,
  loadClientAuthorities,
} from '../../serve/tls/certificate.ts';
import { DAY_MS, type DoctorContext, formatDay, judge, ok, problem, type Verdict, warning } from './check.ts';
import { isOpenToAll } from './machine.ts';

const WARNING_DAYS = 30;

export async function* checkCertificate({ settings, state, now }: DoctorContext): AsyncGenerator<Verdict> {
  const { tlsCert, tlsKey, tlsClientCa, behindProxy } = settings;
  if (behindProxy) return yield ok('none: the proxy has it (--behind-proxy)');
  if (tlsCert === undefined && tlsKey === undefined) yield* checkGeneratedPair(state.path, now);
  else if (tlsCert !== undefined && tlsKey !== undefined) {
    yield* checkPair({ certPath: tlsCert, keyPath: tlsKey }, now);
    // not a problem: in a container there are no other users
    if (isOpenToAll(tlsKey)) {
      const advice = `Run: chmod 600 ${tlsKey} (or, for a Secret of Kubernetes, set defaultMode: 0400).`;
      yield warning(`every user of this machine may read the key ${tlsKey}`, advice);
    }
  }
  if (tlsClientCa !== undefined) yield* checkAuthorities(tlsClientCa, now);
}

async function* checkGeneratedPair(stateFolder: string, now: Date): AsyncGenerator<Verdict> {
  const files = generatedFiles(stateFolder);
  const flaw = findGeneratedPairFlaw(files);
  if (![files.certPath, files.keyPath].some(existsSync))
    yield ok('none yet: the first start creates a self-signed one');
  else if (flaw === undefined) yield* checkPair(files, now);
  else yield warning(`the generated pair cannot be used: ${flaw}`, 'Start the service: it creates a new pair.');
}

async function* checkPair(files: Parameters<typeof loadCertificate>[0], now: Date): AsyncGenerator<Verdict> {
  const { cert, certPath, isSelfSigned } = await loadCertificate(files);
  const certificate = new X509Certificate(cert);
  const { subjectAltName, issuer, validFromDate, validToDate } = certificate;
  if (subjectAltName === undefined) {
    const message = `${certPath} names no host (subjectAltName), so clients refuse it`;
    return yield problem(message, 'Get a certificate for the names of the service.');
  }
  if (validFromDate > now) {
    const message = `${certPath} is valid only from ${validFromDate.toISOString()} on`;
    return yield problem(message, 'Check the clock of this machine, or wait.');
  }
  const names = subjectAltName.replaceAll(/(DNS|IP Address):/g, '');
  const origin = isSelfSigned ? 'self-signed' : `signed by ${issuer.replaceAll('\n', ', ')}`;
  const renewal = isGenerated(certificate)
    ? 'Restart the service or send it SIGHUP: it creates a new certificate. Clients need a copy of it.'
    : 'Renew it. The service loads the files on SIGHUP, or by itself if --tls-cert names them.';
  yield judgeEnd(`${certPath} for ${names}, ${origin}`, { end: validToDate, now, renewal });
}

function* checkAuthorities(path: string, now: Date): Generator<Verdict> {
  const { authorities } = loadClientAuthorities(path);
  const isUsable = authorities.some(({ validTo }) => validTo > now);
  for (const { subject, validTo: end } of authorities) {
    const renewal =
      end < now && isUsable
        ? 'Delete it from the file if the others sign the certificates of all clients.'
        : 'Add the new certificate of the authority to the file; a running service loads it by itself.';
    const verdict = judgeEnd(`authority ${subject} of clients in ${path}`, { end, now, renewal });
    yield verdict.level === 'problem' && isUsable ? { ...verdict, level: 'warning' } : verdict;
  }
}

function judgeEnd(what: string, { end, now, renewal }: { end: Date; now: Date; renewal: string }): Verdict {
  if (end <= now) return problem(`${what}: expired on ${formatDay(end)}`, renewal);
  const days = Math.floor((end.getTime() - now.getTime()) / DAY_MS);
  const message = `${what}, until ${formatDay(end)} (${days === 1 ? '1 day' : `${days} days`})`;
  return judge({ isWarning: days < WARNING_DAYS }, message, renewal);
}
