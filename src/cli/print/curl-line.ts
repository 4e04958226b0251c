/** A curl command for a first call to the service, ready to paste into a shell. */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { relative } from 'node:path';
import type { StartedService } from '../../serve/serve.ts';
import { shellQuote } from './facts.ts';

type ServedAddress = Pick<StartedService, 'url' | 'address' | 'certificate'>;

export interface FirstCall {
  /** Name of the key header. */
  readonly header: string;
  /** The key, or the file that holds it. */
  readonly key: string | { readonly path: string };
  /** Whether the service expects a PROXY header from this machine. */
  readonly hasProxyHeader: boolean;
  /** Whether the service expects a client certificate. The user replaces the names of its files. */
  readonly hasClientCertificate: boolean;
}

export function curlLine(service: ServedAddress, call: FirstCall): string {
  const { header, key, hasProxyHeader, hasClientCertificate } = call;
  const { flags, base } = curlTarget(service);
  const proxyFlags = hasProxyHeader ? ['--haproxy-protocol'] : [];
  const clientFlags = hasClientCertificate ? ['--cert', 'CLIENT.pem', '--key', 'CLIENT.key'] : [];
  return [
    ...['curl', ...proxyFlags, ...flags, ...clientFlags, '-H'].map(shellQuote),
    // with a path, the shell inserts the key when it runs the command
    typeof key === 'string'
      ? shellQuote(`${header}: ${key}`)
      : `"${header}: $(cat ${shellQuote(shortestPath(key.path))})"`,
    ...['-d', 'query=paris', `${base}/api/1/query`].map(shellQuote),
  ].join(' ');
}

function curlTarget({ url, address, certificate }: ServedAddress): { flags: string[]; base: string } {
  if (address.kind === 'unix') return { flags: ['--unix-socket', address.path], base: 'http://localhost' };
  if (certificate === undefined) return { flags: [], base: url }; // plain HTTP
  const trustFlags = ['--cacert', shortestPath(certificate.certPath)];
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const name = otherName(new X509Certificate(certificate.cert), host);
  if (name === undefined) return { flags: trustFlags, base: url };
  const { port } = address;
  // the certificate is for another name: request that name, and tell curl where to connect
  const connectTo = `${name}:${port}:${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  return { flags: [...trustFlags, '--connect-to', connectTo], base: `https://${name}:${port}` };
}

/** A host name of the certificate, or undefined if the certificate is valid for `host`. */
function otherName(certificate: X509Certificate, host: string): string | undefined {
  if ((isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined) return undefined;
  return /DNS:([\w.-]+)/.exec(certificate.subjectAltName ?? '')?.[1];
}

function shortestPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}
