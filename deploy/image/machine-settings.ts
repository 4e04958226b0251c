/**
 * The machine's settings that a build step needs to reach the network: name servers, certificate
 * authorities, proxies, and npm's configuration and cache. A container engine has its own ways.
 */
import { existsSync } from 'node:fs';
import { runCommand } from './run-command.ts';

/** Files of the machine by their path in the root of a build. */
export async function findMachineBinds(): Promise<Map<string, string>> {
  const config = JSON.parse(await runCommand(['npm', 'config', 'list', '--json', '--long'])) as Record<string, string>;
  const binds: readonly (readonly [string, string | undefined])[] = [
    ['/etc/resolv.conf', '/etc/resolv.conf'],
    ['/etc/hosts', '/etc/hosts'],
    ['/etc/ssl/certs', '/etc/ssl/certs'],
    ['/root/.npmrc', config.userconfig],
    ['/usr/local/etc/npmrc', config.globalconfig],
    ['/root/.npm', config.cache],
  ];
  return new Map(binds.flatMap(([path, source]) => (source && existsSync(source) ? [[path, source]] : [])));
}

/** Variables of proxies, certificate authorities and npm. */
export function machineEnvironment(): NodeJS.ProcessEnv {
  const names = /^(https?_proxy|no_proxy|node_extra_ca_certs|npm_config_(registry|cafile|.*proxy))$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)));
}
