import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DashboardPanel, readDashboard } from './monitoring-files.ts';

const COLUMNS = 24;
const { panels, templating } = readDashboard();
const charts = panels.filter(({ type }) => type !== 'row');

test('the dashboard has a row for each subject', () => {
  assert.deepEqual(
    panels.filter(({ type }) => type === 'row').map(({ title }) => title),
    ['Traffic and latency', 'Errors and shedding', 'Limits and Redis', 'Data and reloads', 'Process'],
  );
});

test('every panel and every query uses the data source that the user selects', () => {
  const datasource = { type: 'prometheus', uid: '$' + '{datasource}' };
  assert.equal(templating.list[0]?.type, 'datasource');
  for (const panel of charts) {
    assert.deepEqual(panel.datasource, datasource, panel.title);
    for (const target of panel.targets ?? []) assert.deepEqual(target.datasource, datasource, panel.title);
  }
});

test('every query is limited to the selected jobs and replicas', () => {
  assert.deepEqual(
    templating.list.map(({ name }) => name),
    ['datasource', 'job', 'instance'],
  );
  for (const { title, targets = [] } of charts) {
    assert.ok(targets.length > 0, title);
    for (const { expr } of targets) {
      const selectors = expr.match(/\b(toponym|process)_\w+(\{[^}]*\})?/g) ?? [];
      assert.ok(selectors.length > 0, expr);
      for (const each of selectors) assert.ok(each.includes('{job=~"$job", instance=~"$instance"'), each);
    }
  }
});

test('ids and the letters of queries are unique', () => {
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const { title, targets = [] } of charts) {
    assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title);
  }
});

test('panels fill the grid without overlaps', () => {
  const cells = new Set<string>();
  for (const panel of panels) {
    for (const cell of cellsOf(panel)) {
      assert.ok(!cells.has(cell), `${panel.title} overlaps at ${cell}`);
      cells.add(cell);
    }
  }
  const height = Math.max(...panels.map(({ gridPos: { y, h } }) => y + h));
  assert.equal(cells.size, COLUMNS * height);
});

function cellsOf({ gridPos: { x, y, w, h } }: DashboardPanel): string[] {
  assert.ok(x >= 0 && x + w <= COLUMNS);
  return Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`);
}
