/** The certificate that the settings name, or the one in the state folder; none behind a proxy. */
import { UsageError } from '../../errors/usage-error.ts';
import type { Logger } from '../log.ts';
import type { StateFolder } from '../state/state-folder.ts';
import { type Certificate, ensureCertificate, loadCertificate } from './certificate.ts';

export interface CertificateSettings {
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly behindProxy: boolean;
  readonly state: StateFolder;
}

/** 14 days: ACME clients renew well before that. */
const EXPIRY_WARNING_MS = 14 * 86_400_000;

export async function loadServiceCertificate(
  settings: CertificateSettings,
  log: Logger,
): Promise<Certificate | undefined> {
  const { tlsCert: certPath, tlsKey: keyPath, behindProxy, state } = settings;
  if (certPath === undefined && keyPath === undefined) {
    if (behindProxy) return undefined;
    const stored = await ensureCertificate(state.path, new Date(), (reason) =>
      log.warn({ reason }, 'the generated certificate is replaced'),
    );
    warnOfExpiry(stored, log); // the operator's own pair is never renewed
    return stored;
  }
  if (behindProxy) {
    throw new UsageError('--behind-proxy serves plain HTTP: it cannot be combined with --tls-cert and --tls-key.');
  }
  if (certPath === undefined || keyPath === undefined) {
    throw new UsageError('--tls-cert and --tls-key belong together: give both or neither.');
  }
  const certificate = await loadCertificate({ certPath, keyPath });
  warnOfExpiry(certificate, log);
  return certificate;
}

function warnOfExpiry({ certPath, validTo }: Certificate, log: Logger): void {
  const leftMs = validTo.getTime() - Date.now();
  if (leftMs > EXPIRY_WARNING_MS) return;
  log.warn({ certPath, validTo }, `the certificate ${leftMs < 0 ? 'has expired' : 'expires soon'}`);
}
