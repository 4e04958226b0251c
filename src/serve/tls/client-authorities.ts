/** The authorities of --tls-client-ca, whose clients may connect. */
import { X509Certificate } from 'node:crypto';
import { errorMessage } from '../../errors/error-message.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { readPem } from './certificate.ts';

const CERTIFICATE_START = '-----BEGIN CERTIFICATE-----';

export interface ClientAuthorities {
  readonly pem: string;
  /** When the first of them expires. */
  readonly validTo: Date;
}

/** Throws UsageError if the file holds anything but certificates of authorities. */
export function loadClientAuthorities(path: string): ClientAuthorities {
  const pem = readPem('client authorities', path);
  const [, ...blocks] = pem.split(CERTIFICATE_START);
  if (blocks.length === 0) throw new UsageError(`${path} does not hold a certificate in PEM form.`);
  // OpenSSL would silently skip a damaged block and all that follow it
  const expiryTimes = blocks.map((block, i) =>
    parseAuthority(CERTIFICATE_START + block, `${path}, certificate ${i + 1}`),
  );
  return { pem, validTo: new Date(Math.min(...expiryTimes)) };
}

/** Returns the time at which the authority expires. */
function parseAuthority(block: string, name: string): number {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(block);
  } catch (error) {
    throw new UsageError(`${name}: not valid in PEM form (${errorMessage(error)}).`, { cause: error });
  }
  if (!certificate.ca) {
    const subject = certificate.subject.replaceAll('\n', ', ');
    throw new UsageError(
      `${name} (${subject}) is not the certificate of an authority. Give the certificate that signs those of the clients.`,
    );
  }
  return certificate.validToDate.getTime();
}
