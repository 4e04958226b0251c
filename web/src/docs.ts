/** The API reference at `/docs`: Swagger UI over the service's own OpenAPI document. */
import { element, readFacts } from './dom.ts';

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
const { key, keyHeader, version, isSelfSigned, elementIntegrity } = readFacts();
showSnippets();
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
  requestInterceptor: addCurlOptions,
  onComplete: () => key && ui.preauthorizeApiKey(KEY_SCHEME, key),
});

/** Of the documented responses, without those to calls of the reader. */
const ERROR_ROWS =
  '.responses-table:not(.live-responses-table) .response:is([data-code^="4"], [data-code^="5"]):not(:has(.fold))';

interface SwaggerRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Words that Swagger UI adds to the curl command that it shows. */
  curlOptions?: readonly string[];
}

/** Adds what curl needs: the page's key works only with the Origin of the page. */
function addCurlOptions(request: SwaggerRequest): SwaggerRequest {
  const hasPageKey = key !== '' && request.headers?.[keyHeader] === key;
  request.curlOptions = [...(isSelfSigned ? ['-k'] : []), ...(hasPageKey ? [`-H 'Origin: ${location.origin}'`] : [])];
  return request;
}

/** Shows the HTML that puts the search field on a page. */
function showSnippets(): void {
  const script = (name: string, more = '') => `<script type="module" src="${location.origin}/${name}"${more}></script>`;
  const pinned = ` integrity="${elementIntegrity}" crossorigin`;
  const show = (id: string, text: string) => document.getElementById(id)?.append(text);
  show('element-snippet', `${script('toponym-search.js')}\n<toponym-search api-key="tpk_…"></toponym-search>`);
  show('pinned-snippet', script(`toponym-search-${version}.js`, pinned));
}

/** Shows each documented error in one line, with a button for its example and headers. */
function foldErrors(root: HTMLElement): void {
  for (const row of root.querySelectorAll(ERROR_ROWS)) {
    const button = element('button', { type: 'button', class: 'fold' }, 'Example and headers');
    const toggle = () => {
      button.ariaExpanded = String(!row.classList.toggle('folded'));
    };
    button.addEventListener('click', toggle);
    toggle();
    row.querySelector('.response-col_description__inner')?.append(button);
  }
}

/**
 * Repairs what Swagger UI renders, also when it renders again: form fields without names, code that
 * scrolls but cannot be focused, links inside buttons, buttons with another name than their text, a
 * second main part of the page, and headings that leave out a level.
 */
function repairAccessibility(root: HTMLElement): void {
  const repair = () => {
    foldErrors(root);
    for (const field of root.querySelectorAll<HTMLElement>(':is(select, textarea, input):not([aria-label])')) {
      field.setAttribute('aria-label', fieldName(field));
    }
    for (const code of root.querySelectorAll<HTMLElement>('pre.microlight:not([tabindex])')) code.tabIndex = 0;
    // the button itself opens the operation and puts it into the URL
    for (const link of root.querySelectorAll('button a[href]')) link.removeAttribute('href');
    for (const button of root.querySelectorAll('.auth-btn-wrapper [aria-label]')) button.removeAttribute('aria-label');
    root.querySelector('.close-modal:not([aria-label])')?.setAttribute('aria-label', 'Close');
    root.querySelector('main:not([role])')?.setAttribute('role', 'group');
    for (const heading of root.querySelectorAll(':is(h3, h4, h5, h6):not([aria-level])')) {
      heading.setAttribute('aria-level', String(Math.min(4, Number(heading.tagName[1]) - 1)));
    }
  };
  new MutationObserver(repair).observe(root, { childList: true, subtree: true });
}

function fieldName(field: HTMLElement): string {
  const option = field.closest<HTMLElement>('[data-param-name]')?.dataset.paramName;
  if (option !== undefined) return option;
  if (field.closest('.servers')) return 'Server';
  if (field.closest('.examples-select')) return 'Example';
  if (field.closest('.auth-container')) return 'API key';
  return field.matches('textarea') ? 'Request body' : 'Media type';
}
