/** `toponym mcp`: the search as tools for agents, by the Model Context Protocol. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import { UsageError } from 'toponym-files/errors/errors';
import { VERSION } from 'toponym-files/program';
import { parseHttpAddress } from 'toponym-server/compat/compat-settings';
import { checkPortIsFree, isLocalAddress, resolveHost, urlOf } from 'toponym-server/serve/listen/listen-address';
import type { CallEndpoint } from '../../mcp/tools.ts';
import { addExamples } from '../help.ts';
import { NotFoundError, note, noteError, printJson } from '../print/output.ts';
import { addSettings, readSettings } from '../settings/read-settings.ts';
import { callEndpoint, openPlaces } from './place-endpoints.ts';

const REMARK =
  'Most agents have a file for MCP servers, into which this goes: {"mcpServers": {"toponym": {"command": "toponym", "args": ["mcp"]}}}. For Claude Code: claude mcp add toponym -- toponym mcp. docs/guides/agents.md has others.';

interface McpFlags {
  readonly http?: string;
  readonly json?: boolean;
}

export function addMcpCommand(command: Command): void {
  const examples = ['toponym mcp', 'toponym mcp --index world.toponym', 'toponym mcp --http 127.0.0.1:8765'];
  addSettings(addExamples(command, examples, REMARK), ['index', 'overlay', 'state'])
    .option('--http <address:port>', 'serve HTTP to programs of this machine, instead of standard input and output')
    .option('--json', 'with --http, print one line {"url","pid","version"} when ready')
    .action(serveMcp);
}

async function serveMcp(flags: McpFlags): Promise<void> {
  if (flags.json && flags.http === undefined) throw new UsageError('--json needs --http: MCP uses standard output.');
  const address = flags.http === undefined ? undefined : await parseLocalAddress(flags.http);
  const settings = readSettings(flags);
  const { serveOnStdio, createMcpServer } = await importSdk();
  const engine = openPlaces(settings);
  const call: CallEndpoint = async (name, options) => {
    const given = new URLSearchParams(Object.entries(options).filter((pair): pair is [string, string] => !!pair[1]));
    return await callEndpoint(name, given, () => engine);
  };
  const tools = { call, onError: ({ message }: Error) => noteError(message.split('\n', 1)[0] ?? '') };
  if (address === undefined) {
    await serveOnStdio(tools, engine);
    return void (await engine);
  }
  await engine;
  const server = createMcpServer(tools).listen(address.port, address.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `${urlOf({ kind: 'tcp', host: address.host, port }, false)}/mcp`;
  if (flags.json) printJson({ url, pid: process.pid, version: VERSION });
  else note(`MCP is served at ${url} to programs of this machine, until Ctrl-C.`);
  await once(server, 'close');
}

/** Throws UsageError for an address that other machines can reach, because there are neither keys nor TLS. */
async function parseLocalAddress(text: string): Promise<{ readonly host: string; readonly port: number }> {
  const { host: name, port } = (/:\d+$/.test(text) && parseHttpAddress(`http://${text}`)) || {};
  if (name === undefined || port === undefined)
    throw new UsageError(`--http: must be an address and a port such as 127.0.0.1:8765, got ${JSON.stringify(text)}.`);
  const host = await resolveHost(name, '--http');
  if (!isLocalAddress({ kind: 'tcp', host, port })) {
    const advice = `Use 127.0.0.1:${port}, behind an SSH tunnel or a proxy that checks who calls.`;
    throw new UsageError(`--http ${text}: other machines could use it without a key. ${advice}`);
  }
  await checkPortIsFree(host, port, { host: '--http', port: '--http' });
  return { host, port };
}

/** The SDK is optional, because it has 17 MB. */
async function importSdk(): Promise<typeof import('../../mcp/serve.ts')> {
  return await import('../../mcp/serve.ts').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const remedy = 'Install them with "npm install --include=optional", where toponym is installed.';
    throw new NotFoundError(`the optional packages @modelcontextprotocol/server and zod are missing. ${remedy}`);
  });
}
