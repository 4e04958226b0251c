import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { RunningService } from '../support/running-service.ts';

/** Makes `fetch` of this process trust the self-signed certificate of a service. */
export function trustCertificate({ state }: Pick<RunningService, 'state'>): void {
  const certificate = readFileSync(join(state, 'tls', 'cert.pem'), 'utf8');
  setDefaultCACertificates([...getCACertificates('default'), certificate]);
}
