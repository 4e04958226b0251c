/** The current request as code, in tabs, ready to copy. */
import { byId, element } from './dom.ts';
import type { SearchRequest } from './page-state.ts';
import { type Service, snippetsOf } from './snippets.ts';

/** Time for which the button says that the code is copied. */
const COPIED_MS = 2000;

const KEY_NOTE = 'This key works until the service restarts. Create your own with ';
const CREATE_KEY = 'npx toponym keys create --label my-app';

export function createRequestPanel(service: Service): (request: SearchRequest) => void {
  const code = element('code', {});
  const panel = element('pre', { id: 'snippet', role: 'tabpanel', tabindex: '0' }, code);
  const copy = copyButton(() => code.textContent ?? '');
  let request: SearchRequest = { endpoint: 'query', text: 'paris', options: {} };
  let shown = 0;
  const tabs = snippetsOf(request, service).map(({ language }, i) => {
    const tab = element('button', { type: 'button', role: 'tab', id: `tab-${i}`, 'aria-controls': panel.id }, language);
    tab.addEventListener('click', () => show(i));
    return tab;
  });
  const show = (i: number) => {
    shown = i;
    code.textContent = snippetsOf(request, service)[i]?.code ?? '';
    panel.setAttribute('aria-labelledby', `tab-${i}`);
    for (const [j, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(i === j));
      tab.tabIndex = i === j ? 0 : -1;
    }
  };
  const tabList = element('div', { role: 'tablist', 'aria-label': 'Language of the code' }, ...tabs);
  tabList.addEventListener('keydown', ({ key }) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    show((shown + step + tabs.length) % tabs.length);
    tabs[shown]?.focus();
  });
  byId('request').append(
    element('div', { class: 'snippet-bar' }, element('h2', { id: 'request-title' }, 'The request'), tabList, copy),
    panel,
    element('p', { class: 'note key-note' }, KEY_NOTE, element('code', {}, CREATE_KEY)),
  );
  show(0);
  return (newRequest) => {
    request = newRequest;
    show(shown);
  };
}

function copyButton(text: () => string): HTMLElement {
  const button = element('button', { type: 'button', class: 'copy', 'aria-live': 'polite' }, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Press Ctrl+C'; // the browser refuses; the code is selected instead
      getSelection()?.selectAllChildren(byId('snippet'));
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, COPIED_MS);
  });
  return button;
}
