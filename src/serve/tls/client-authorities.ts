/** The authorities of --tls-client-ca, whose clients may connect. */
import { X509Certificate } from 'node:crypto';
import { errorMessage } from '../../errors/error-message.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { readPem } from './certificate.ts';

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
