import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { compilerProblems } from '../compiler-problems.ts';
import { DASHBOARD_FILE } from './monitoring-files.ts';

const RAW = '@grafana/schema/dist/esm/raw/composable';

/** Grafana's own types, with the options of the panel types in use instead of `unknown`. */
const TYPES = `
import type { Dashboard, FieldConfigSource, Panel, RowPanel } from '@grafana/schema';
import type { Options as StatOptions } from '${RAW}/stat/panelcfg/x/StatPanelCfg_types.gen';
import type {
  FieldConfig as LineConfig,
  Options as LineOptions,
} from '${RAW}/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';

/** JSON has the values of an enum, not its members. */
type Json<T> = T extends string ? \`\${T}\` : T extends object ? { [K in keyof T]: Json<T[K]> } : T;
type Defaults<C> = Omit<FieldConfigSource['defaults'], 'custom' | 'unit'> & { unit: string; custom?: C };
interface Chart<T extends string, O, C> extends Omit<Panel, 'type' | 'options' | 'targets' | 'fieldConfig'> {
  type: T;
  options: O;
  targets: { refId: string; datasource: { type: string; uid: string }; expr: string; legendFormat: string; instant?: true; range?: false }[];
  fieldConfig: { defaults: Defaults<C>; overrides: [] };
}
type Charts = Chart<'stat', StatOptions, never> | Chart<'timeseries', LineOptions, LineConfig>;
`;

function findProblems(context: TestContext, { panels, ...rest }: { panels: { type: string }[] }): Promise<string[]> {
  const constants = panels.map((panel, i) => {
    const type = panel.type === 'row' ? 'RowPanel' : `Extract<Charts, { type: '${panel.type}' }>`;
    return `export const panel${i}: Json<${type}> = ${JSON.stringify(panel, null, 2)};\n`;
  });
  const whole = `export const dashboard: Json<Omit<Dashboard, 'panels'>> = ${JSON.stringify(rest, null, 2)};\n`;
  return compilerProblems(context, { dashboard: [TYPES, whole, ...constants].join('\n') });
}

function readDashboard() {
  return JSON.parse(readFileSync(DASHBOARD_FILE, 'utf8'));
}

test("the dashboard fits Grafana's schema", async (context) => {
  assert.deepEqual(await findProblems(context, readDashboard()), []);
});

test('the check of the schema finds unknown fields, wrong values and unknown types', async (context) => {
  const dashboard = readDashboard();
  dashboard.titel = 'Toponym';
  dashboard.panels[1].options.legend.displayMode = 'lst';
  dashboard.panels[2].fieldConfig.defaults.custom.lineWith = 1;
  dashboard.panels[3].type = 'graph';
  const problems = (await findProblems(context, dashboard)).join('\n');
  assert.match(problems, /"titel"' does not exist/);
  assert.match(problems, /"lst"' is not assignable/);
  assert.match(problems, /"lineWith"' does not exist/);
  assert.match(problems, /not assignable to type 'never'/);
});
