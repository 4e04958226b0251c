/** The API reference at `/docs`: Swagger UI over the service's own OpenAPI document. */
import { readFacts } from './facts.ts';

interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
}

declare const SwaggerUIBundle: (options: object) => SwaggerUi;

/** Name of the security scheme in the OpenAPI document. */
const KEY_SCHEME = 'key';

const { key } = readFacts();
const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null, // Swagger's own validator is on another host
  // without the page there is no key: the reader enters one under "Authorize"
  onComplete: () => key && ui.preauthorizeApiKey(KEY_SCHEME, key),
});
