/** The small chart in README.md: what people notice first while they type. */
import { drawChart, type Panel } from './chart.ts';

/** Titles for readers who do not know the query classes, by the title of the panel. */
const TITLES: Readonly<Record<string, string>> = {
  'prefix, people: p50 to p99': 'The first 1 to 6 letters of a name, as people type them',
  '1 typo: p50 to p99': 'A name with one typo',
};

/** Returns undefined if the run has not measured these queries. */
export function drawSummary(panels: readonly Panel[]): string | undefined {
  const chosen = panels.flatMap((panel) => {
    const title = TITLES[panel.title];
    return title === undefined ? [] : [{ ...panel, title, bars: panel.bars.filter(isMain) }];
  });
  return chosen.length === 0 ? undefined : drawChart('Time of a search, median to 99th percentile', chosen);
}

/** Leaves out the further rows of Toponym, such as "Toponym, confidence". */
function isMain({ label }: Panel['bars'][number]): boolean {
  return !label.startsWith('Toponym,');
}
