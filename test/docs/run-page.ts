/**
 * Executes the shell blocks of a page in one bash, as a reader would who pastes them one by one.
 * Commands that serve run in the background until the next one of them or the end of the page.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { testEnvironment } from '../support/environment.ts';
import type { ShellBlock } from './shell-blocks.ts';

export interface PageRun {
  /** The clone in which the commands run. */
  readonly folder: string;
  /** Replaces port 8443. */
  readonly port: number;
  /** Addresses of this machine for those of the page. */
  readonly addresses?: Readonly<Record<string, string>>;
  /** Added to the environment. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface PageResult {
  readonly code: number | null;
  /** The output of the failed block, and the failed command. */
  readonly errors: string;
  /** Standard output by block. */
  readonly outputs: readonly string[];
}

const SERVES = /^(?:npm start|(?:npx )?toponym (?:serve|demo))\b/gm;
/** Warnings of npm about the settings of this machine are not output of the page. */
const QUIET_NPM = { npm_config_loglevel: 'error' };
/** The first call in a clone or installation runs the real npx. The others run what it would run, which saves a second each. */
const NPX = `#!/bin/sh
if [ "$1" = toponym ]; then
  program=bin/toponym.js
  [ -e $program ] || program=node_modules/toponym/bin/toponym.js
  ran=$(dirname "$(readlink -f $program)")/.npx-ran
  if [ -e "$ran" ]; then
    shift
    exec "${process.execPath}" $program "$@"
  fi
  touch "$ran"
fi
PATH=\${PATH#*:}
exec npx "$@"
`;
/** Installs of a tarball take what npm has installed from the same tarball, once per run. */
const NPM = `#!/bin/sh
case "$*" in
  'install --global ./toponym-'*.tgz) test -f "$3" && ln -s "$INSTALLED_GLOBALLY/bin/toponym" "$OUTPUTS/bin/toponym" ;;
  'install ./toponym-'*.tgz) test -f "$2" && ln -s "$INSTALLED_PROJECT/node_modules" . ;;
  *) PATH=\${PATH#*:}; exec npm "$@" ;;
esac
`;
/** HTTP errors fail, which curl does not do by itself. A service on a busy machine may refuse a call with 503. */
const CURL_SETTINGS = 'fail\nsilent\nshow-error\nretry = 5\n';
const START = { line: 0, code: 'npx toponym serve\n', output: undefined };

// a background service writes to a file, and what it prints when ready is the output of its block
const PRELUDE = `
set -Eeuo pipefail
trap 'cat "$OUTPUTS/$BLOCK" >&2; echo "line $LINE: $BASH_COMMAND failed" >&2' ERR
service=
stop_service() {
  [ -z "$service" ] || { kill "$service" 2>/dev/null && wait "$service" || true; service=; }
  # npx ends before the service that it has started
  while (: </dev/tcp/127.0.0.1/$TOPONYM_PORT) 2>/dev/null; do read -r -t 0.1 <> <(:) || true; done
}
trap stop_service EXIT
in_background() {
  stop_service
  : >"$OUTPUTS/service" # the last service was ready, too
  "$@" >"$OUTPUTS/service" 2>"$OUTPUTS/service-errors" & service=$!
  until grep -q 'is ready' "$OUTPUTS/service"; do
    kill -0 "$service" 2>/dev/null || { cat "$OUTPUTS/service-errors" >&2; return 1; }
    read -r -t 0.1 <> <(:) || true
  done
  cat "$OUTPUTS/service"
}
`;

/** Starts a service first if the page calls one without starting it. */
export function withService(blocks: readonly ShellBlock[]): readonly ShellBlock[] {
  const code = blocks.map((block) => block.code).join('');
  return code.includes('127.0.0.1:8443') && code.search(SERVES) === -1 ? [START, ...blocks] : blocks;
}

export async function runPage(
  blocks: readonly ShellBlock[],
  { folder, port, addresses = {}, env }: PageRun,
): Promise<PageResult> {
  const outputs = join(folder, '.outputs');
  mkdirSync(outputs);
  writeFileSync(join(outputs, '.curlrc'), CURL_SETTINGS);
  mkdirSync(join(outputs, 'bin'));
  writeFileSync(join(outputs, 'bin', 'npx'), NPX, { mode: 0o755 });
  writeFileSync(join(outputs, 'bin', 'npm'), NPM, { mode: 0o755 });
  const bodies = blocks.map(({ line, code }, i) => {
    let commands = code.replaceAll(SERVES, 'in_background $&');
    for (const [shown, real] of Object.entries({ ...addresses, '127.0.0.1:8443': `127.0.0.1:${port}` })) {
      commands = commands.replaceAll(shown, real);
    }
    return `LINE=${line} BLOCK=${i}\n{\n${commands}\n} >"$OUTPUTS/${i}"\n`;
  });
  const child = spawn('bash', ['-c', PRELUDE + bodies.join('\n')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...testEnvironment(),
      PATH: `${join(outputs, 'bin')}:${process.env.PATH}`,
      TOPONYM_PORT: String(port),
      OUTPUTS: outputs,
      CURL_HOME: outputs,
      ...QUIET_NPM,
      ...env,
    },
  });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (code !== 0) return { code, errors, outputs: [] };
  const shown = (output: string) => output.replaceAll(`127.0.0.1:${port}`, '127.0.0.1:8443');
  return { code, errors, outputs: blocks.map((_, i) => shown(readFileSync(join(outputs, String(i)), 'utf8'))) };
}
