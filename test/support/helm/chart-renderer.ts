/**
 * Renders the Helm chart with Go's text/template and Sprig, as Helm does. Debian has no Helm, but
 * it has Go and these libraries.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { TEST_CACHE } from '../environment.ts';
import { outsideProgram, skipWithout } from '../outside-programs.ts';

// biome-ignore lint/suspicious/noExplicitAny: a manifest has whatever fields its kind has
export type Manifest = Record<string, any>;

export interface RenderedChart {
  readonly manifests: readonly Manifest[];
  readonly notes: string;
}

export const CHART = fileURLToPath(new URL('../../../deploy/helm/toponym', import.meta.url));
export const RELEASE = { name: 'release', namespace: 'places' };
/** Values without which the chart renders nothing. */
const MINIMAL = join(CHART, 'ci', 'minimal-values.yaml');

const SOURCE = fileURLToPath(new URL('render.go', import.meta.url));
const PROGRAM = join(TEST_CACHE, 'render-chart');
const GO_SOURCES = '/usr/share/gocode';
const run = promisify(execFile);

/** The `skip` option of tests that render: false, or the reason. */
export async function compileRenderer(): Promise<string | false> {
  const go = outsideProgram('go');
  const sprig = outsideProgram('/usr/share/gocode/src/github.com/Masterminds/sprig');
  const yaml = outsideProgram('/usr/share/gocode/src/sigs.k8s.io/yaml');
  const skip = skipWithout(go, sprig, yaml);
  if (skip !== false) return skip;
  mkdirSync(TEST_CACHE, { recursive: true });
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: GO_SOURCES,
    GOCACHE: join(TEST_CACHE, 'go'),
    CGO_ENABLED: '0',
  };
  const built = `${PROGRAM}.${process.pid}`;
  await run(go.path, ['build', '-o', built, SOURCE], { env });
  renameSync(built, PROGRAM); // another test file may be running it
  return false;
}

/** Renders the chart with values files that override each other. Rejects with Go's message. */
export async function renderChart(valuesFiles: readonly string[], release = RELEASE.name): Promise<RenderedChart> {
  const { stdout } = await run(PROGRAM, [CHART, release, RELEASE.namespace, MINIMAL, ...valuesFiles]);
  const { 'NOTES.txt': notes = '', ...templates } = JSON.parse(stdout) as Record<string, string>;
  return { manifests: Object.values(templates).flatMap(parseManifests), notes };
}

function parseManifests(text: string): Manifest[] {
  // Kubernetes reads YAML 1.1, in which 0440 is octal
  return parseAllDocuments(text, { version: '1.1', strict: true })
    .map((document) => {
      if (document.errors[0] !== undefined) throw document.errors[0];
      return document.toJS() as Manifest | null;
    })
    .filter((manifest) => manifest !== null);
}
