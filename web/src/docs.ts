/** The API reference at `/docs`: Swagger UI over the service's own OpenAPI document. */
import { repairAccessibility } from './docs-accessibility.ts';
import { readFacts } from './facts.ts';

interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
}

declare const SwaggerUIBundle: (options: object) => SwaggerUi;

/** Name of the security scheme in the OpenAPI document. */
const KEY_SCHEME = 'key';

/** Swagger UI has dark colours, but leaves the choice to the page. */
function followColorScheme(): void {
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
  prefersDark.addEventListener('change', apply);
  apply();
}

followColorScheme();
const root = document.getElementById('reference');
if (root) repairAccessibility(root);
const { key } = readFacts();
for (const id of key ? ['with-key', 'home'] : ['without-key']) document.getElementById(id)?.removeAttribute('hidden');
const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0, // the list of schemas is closed
  displayOperationId: true, // the names of functions in generated clients
  validatorUrl: null, // Swagger's own validator is on another host
  syntaxHighlight: { theme: 'obsidian' }, // the default theme has too little contrast
  // without the page there is no key: the reader enters one under "Authorize"
  onComplete: () => key && ui.preauthorizeApiKey(KEY_SCHEME, key),
});
