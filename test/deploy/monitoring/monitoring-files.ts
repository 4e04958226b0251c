/** The files of deploy/monitoring, parsed. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const MONITORING_FOLDER = fileURLToPath(new URL('../../../deploy/monitoring', import.meta.url));
export const ALERTS_FILE = `${MONITORING_FOLDER}/alerts.yaml`;
export const DASHBOARD_FILE = `${MONITORING_FOLDER}/grafana-dashboard.json`;

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface DashboardPanel {
  readonly type: string;
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: { readonly type: string; readonly uid: string };
  /** Absent in a row. */
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly datasource: unknown }[];
}

export interface Dashboard {
  readonly uid: string;
  readonly panels: readonly DashboardPanel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
}

export function readAlertRules(): AlertRule[] {
  const { groups } = parse(readFileSync(ALERTS_FILE, 'utf8')) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

export function readDashboard(): Dashboard {
  return JSON.parse(readFileSync(DASHBOARD_FILE, 'utf8'));
}

/** The queries of all panels, by title. */
export function dashboardQueries(): { readonly title: string; readonly expr: string }[] {
  return readDashboard().panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
}
