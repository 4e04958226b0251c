/** The footer: which data is served, how old it is, how to get fresher data, and who made it. */

import { formatData, isOldData } from 'toponym-engine/index-file/data-age';
import type { PageFacts } from 'toponym-server/http/page-facts';
import { element } from './dom.ts';
import { fullNumber } from './place-text.ts';

export function showDataNote(footer: HTMLElement, { dataset, version }: PageFacts): void {
  const now = new Date();
  footer.append(
    element(
      'p',
      {},
      `${fullNumber(dataset.places)} places: ${formatData(dataset.version, now)}.`,
      ...(isOldData(dataset.version, now)
        ? [' For newer data, run ', element('code', {}, 'npx toponym update'), '.']
        : []),
    ),
    element(
      'p',
      {},
      'Places: ',
      ...dataset.attribution.flatMap((line, i) => [i > 0 ? '; ' : '', ...withLinks(line)]),
      '. IP addresses: ',
      link('https://db-ip.com', 'IP Geolocation by DB-IP'),
      ', CC BY 4.0. Map: ',
      link('https://www.naturalearthdata.com/', 'Natural Earth'),
      `. Toponym ${version}.`,
    ),
  );
}

/** Makes `GeoNames (https://…)` a link. */
function withLinks(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(/([^,;()]+?) \((https:\/\/[^\s)]+)\)/g)) {
    const [whole, name = '', url = ''] = match;
    parts.push(text.slice(end, match.index), ...(name.startsWith(' ') ? [' '] : []), link(url, name.trim()));
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}

function link(href: string, text: string): HTMLElement {
  return element('a', { href, rel: 'noreferrer' }, text);
}
