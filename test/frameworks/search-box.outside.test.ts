/**
 * The examples of docs/guides/search-box.md, type-checked and built with the tools of each framework in a project that
 * has installed the packed client, and used in Chromium with a real service.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { projectWithClient } from '../package/packed-package.ts';
import { examples } from '../package/page-examples.ts';
import { runCommand, tryCommand } from '../package/run-command.ts';
import { openPage } from '../package/served-page.ts';
import { inChromium } from '../support/chromium.ts';
import { fileHooks } from '../support/file-hooks.ts';
import { toolsOf } from '../support/installed-tools.ts';
import { createKey, type RunningService, runService } from '../support/running-service.ts';

const TOOLS = toolsOf('frameworks');
const PAGE = readFileSync(new URL('../../docs/guides/search-box.md', import.meta.url), 'utf8');
const INDEX =
  '<!doctype html><meta charset="utf-8"><div id="app"></div><script type="module" src="/src/main.ts"></script>';
/** As in the projects that these tools create, but the types of packages are checked too. */
const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [] },
    ...{ lib: ['es2022', 'dom', 'dom.iterable'], jsx: 'react-jsx', verbatimModuleSyntax: true },
  },
  include: ['src'],
};

interface Framework {
  readonly name: string;
  /** The files of a project, by path. */
  readonly files: Readonly<Record<string, string | object>>;
  readonly checker: readonly string[];
  readonly builder: readonly string[];
  readonly output: string;
}

const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'React 19',
    files: {
      'index.html': INDEX,
      'tsconfig.json': TSCONFIG,
      'src/main.ts': `import { createElement } from 'react';
        import { createRoot } from 'react-dom/client';
        import App from './App';
        createRoot(document.querySelector('#app')!).render(createElement(App));`,
      'src/App.tsx': example('tsx'),
      'vite.config.js': "import react from '@vitejs/plugin-react'; export default { plugins: [react()] };",
    },
    checker: ['tsc'],
    builder: ['vite', 'build'],
    output: 'dist',
  },
  {
    name: 'Vue 3',
    files: {
      'index.html': INDEX,
      'tsconfig.json': { ...TSCONFIG, vueCompilerOptions: { strictTemplates: true } },
      'src/main.ts': "import { createApp } from 'vue'; import App from './App.vue'; createApp(App).mount('#app');",
      'src/App.vue': example('vue'),
      'vite.config.js': example('js vue'),
    },
    checker: ['vue-tsc'],
    builder: ['vite', 'build'],
    output: 'dist',
  },
  {
    name: 'Svelte 5',
    files: {
      'index.html': INDEX,
      'tsconfig.json': TSCONFIG,
      'src/main.ts': `import { mount } from 'svelte';
        import App from './App.svelte';
        mount(App, { target: document.querySelector('#app')! });`,
      'src/App.svelte': example('svelte'),
      'vite.config.js': `import { svelte } from '@sveltejs/vite-plugin-svelte'; export default { plugins: [svelte()] };`,
    },
    checker: ['svelte-check', '--fail-on-warnings'],
    builder: ['vite', 'build'],
    output: 'dist',
  },
  {
    name: 'Angular',
    files: {
      'src/index.html': '<!doctype html><meta charset="utf-8"><base href="/"><app-root></app-root>',
      'tsconfig.json': {
        ...TSCONFIG,
        compilerOptions: { ...TSCONFIG.compilerOptions, noEmit: false },
        angularCompilerOptions: { strictTemplates: true },
      },
      'src/main.ts': `import { bootstrapApplication } from '@angular/platform-browser';
        import { App } from './app/app';
        bootstrapApplication(App);`,
      'src/app/app.ts': example('ts'),
      'angular.json': {
        version: 1,
        cli: { analytics: false },
        projects: {
          app: {
            projectType: 'application',
            root: '',
            architect: {
              build: {
                builder: '@angular/build:application',
                options: { browser: 'src/main.ts', tsConfig: 'tsconfig.json' },
              },
            },
          },
        },
      },
    },
    checker: ['ngc', '--noEmit'],
    builder: ['ng', 'build'],
    output: 'dist/app/browser',
  },
];

describe('docs/guides/search-box.md', inChromium, () => {
  let service: RunningService;
  let key = '';

  before(async () => {
    await TOOLS.install();
    service = await runService(fileHooks, { args: ['--threads', '1'] });
    key = (await createKey(service)).key;
  });

  const withService = (text: string) =>
    text.replaceAll('https://places.example.com', service.ready.url).replaceAll('tpk_…', key);

  async function checkPage(context: TestContext, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
    const { page, url } = await openPage(context, files);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    await page.goto(url);
    const shows = (text: string) => page.waitForFunction(`document.querySelector('p').textContent === '${text}'`);
    const box = page.getByRole('combobox', { name: 'City' });
    await box.pressSequentially('pari');
    await page.getByRole('option').filter({ hasText: 'Paris, France' }).first().click();
    await shows('Paris, France');
    await box.fill('');
    await shows('');
    assert.deepEqual(problems, []);
  }

  test('plain HTML shows the place that the user chooses', async (t) => {
    await checkPage(t, { '/': withService(example('html')) });
  });

  for (const { name, files, checker, builder, output } of FRAMEWORKS) {
    test(`${name} types the event, builds its example, and shows the place that the user chooses`, async (t) => {
      const project = await projectWithFrameworks(t);
      const write = (change: (text: string) => string) => {
        for (const [path, content] of Object.entries(files)) {
          mkdirSync(dirname(join(project, path)), { recursive: true });
          writeFileSync(join(project, path), change(typeof content === 'string' ? content : JSON.stringify(content)));
        }
      };
      const [check = '', ...checkArgs] = checker;
      const [build = '', ...buildArgs] = builder;
      // vue-tsc 3.3 overlooks errors in elements with // in an attribute
      write((text) => text.replace('https://places.example.com', '').replace(/\bdetail(?=[)"])/, 'detail.label'));
      const { stdout, stderr } = await tryCommand(project, TOOLS.path(check), checkArgs);
      const printed = stripVTControlCharacters(stdout + stderr);
      const errors = [...printed.matchAll(/(?:error (?:TS|NG)-?\d+|^Error): .*/gm)].map(([line]) => line);
      assert.equal(errors.length, 1, printed);
      assert.match(errors[0] ?? '', /'string' is not assignable/);
      write(withService);
      await runCommand(project, TOOLS.path(build), buildArgs);
      await checkPage(t, filesIn(join(project, output)));
    });
  }

  test('JSX of React, Preact and Solid has the types of the element, without other packages and with all attributes', async (t) => {
    const project = await projectWithFrameworks(t);
    const element = join(project, 'node_modules', 'toponym-client', 'dist', 'search-element.js');
    const { ToponymSearch } = (await import(pathToFileURL(element).href)) as {
      ToponymSearch: { observedAttributes: string[] };
    };
    const attributes = ToponymSearch.observedAttributes.filter((name) => name !== 'key' && name !== 'required');
    attributes.push('loading'); // read once
    const files = {
      'attributes.ts': `import type { SearchMarkup } from 'toponym-client/search-element';
        ({ ${attributes.map((name) => `'${name}': ''`).join(', ')}, required: true }) satisfies SearchMarkup;
        // @ts-expect-error: there is no such attribute
        ({ 'hits-per-pages': '' }) satisfies SearchMarkup;`,
      'react.tsx': jsx('react', 'ontoponym-select'),
      'preact.tsx': jsx('preact', 'ontoponym-select'),
      'solid.tsx': jsx('solid-js', 'on:toponym-select'),
    };
    for (const [name, code] of Object.entries(files)) writeFileSync(join(project, name), code);
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ ...TSCONFIG, include: Object.keys(files) }));
    await runCommand(project, TOOLS.path('tsc'), []);
  });
});

/** A module that has no type error if the errors that it expects are found. */
function jsx(source: string, select: string): string {
  return `/** @jsxImportSource ${source} */
    import 'toponym-client/${source.replace('-js', '')}';
    export const box = () => <toponym-search id="box" api-key="" hits-per-page={3} options={{ countries: ['fr'] }} required
      ${select}={({ detail }) => detail.label.toUpperCase()} />;
    // @ts-expect-error: a hit has no such field
    export const field = () => <toponym-search ${select}={({ detail }) => detail.nonsense} />;
    // @ts-expect-error: options are an object
    export const options = () => <toponym-search options="" />;
    // @ts-expect-error: there is no such attribute
    export const nonsense = () => <toponym-search nonsense="" />;`;
}

function example(kind: string): string {
  const [code, ...more] = examples(PAGE, kind);
  assert.ok(code !== undefined && more.length === 0, `the page has one example of ${kind}`);
  return code;
}

/** A project in which npm has installed the client, with links to all frameworks. */
async function projectWithFrameworks(context: TestContext): Promise<string> {
  const project = await projectWithClient(context);
  for (const name of readdirSync(TOOLS.packages).filter((name) => !name.startsWith('.'))) {
    symlinkSync(join(TOOLS.packages, name), join(project, 'node_modules', name));
  }
  return project;
}

/** By the path of their URL. */
function filesIn(folder: string): Record<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(
    files.map((name) => [name === 'index.html' ? '/' : `/${name}`, readFileSync(join(folder, name))]),
  );
}
