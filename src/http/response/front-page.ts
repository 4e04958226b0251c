/** The page at `/`: a description, an example call and the attribution that licences require. */
import type { Dataset } from '../../engine/engine.ts';
import { formatData } from '../data-age.ts';
import { escapeHtml } from './html.ts';

interface FrontPageFacts {
  readonly keyHeader: string;
  readonly version: string;
  readonly now: Date;
}

export function frontPage(dataset: Dataset, { keyHeader, version, now }: FrontPageFacts): string {
  const credits = dataset.attribution.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Toponym</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}pre{overflow-x:auto}</style>
</head>
<body>
<main>
<h1>Toponym ${escapeHtml(version)}</h1>
<p>Place search: ${dataset.places.toLocaleString('en')} cities, towns and villages, by name, by identifier and by coordinates.</p>
<pre>curl -H '${escapeHtml(keyHeader)}: YOUR_KEY' -d query=paris https://HOST/api/1/query</pre>
<p>The <a href="/openapi.json">OpenAPI document</a> describes the three endpoints, their options and errors.</p>
<h2>Data</h2>
<p>${escapeHtml(formatData(dataset.version, now))}. Version ${escapeHtml(dataset.version)}.</p>
<ul>${credits}
<li><a href="https://db-ip.com">IP Geolocation by DB-IP</a>, CC BY 4.0, if the embedded data is used to locate addresses</li>
</ul>
</main>
</body>
</html>
`;
}
