/** Says kindly why there is no answer, and what happens next. What was typed stays. */
import type { ToponymError } from '../../src/client/client.ts';
import { byId, element } from './dom.ts';

export interface Trouble {
  show(error: ToponymError): void;
  clear(): void;
}

const FIRST_RETRY_SECONDS = 2;
const MAX_RETRY_SECONDS = 30;

export function createTrouble(retry: () => void): Trouble {
  const region = byId('trouble');
  let timer: ReturnType<typeof setInterval> | undefined;
  let failures = 0;
  const stop = () => clearInterval(timer);
  const say = (...children: readonly (Node | string)[]) => {
    region.replaceChildren(...children);
    region.hidden = false;
  };
  const retryNow = () => {
    stop();
    retry();
  };
  const countDown = (seconds: number, text: string) => {
    // only the text before the number is announced, not every second
    const number = element('span', { 'aria-hidden': 'true' }, `${seconds} s`);
    say(text, number, '.');
    let left = seconds;
    timer = setInterval(() => {
      left -= 1;
      number.textContent = `${left} s`;
      if (left === 0) retryNow();
    }, 1000);
  };
  const clear = () => {
    stop();
    failures = 0;
    region.hidden = true;
    region.replaceChildren();
  };
  addEventListener('online', () => {
    if (failures > 0) retryNow();
  });
  return {
    clear,
    show: ({ code, status, message, retryAfterSeconds }) => {
      stop();
      if (retryAfterSeconds !== undefined) {
        countDown(Math.max(1, Math.ceil(retryAfterSeconds)), waitText(status));
      } else if (status === 401 || status === 403) {
        const button = element('button', { type: 'button' }, 'Reload the page');
        button.addEventListener('click', () => location.reload());
        say('The service has restarted, so this page needs a new key. Your text stays. ', button);
      } else if (code === 'network' || code === 'timeout') {
        const seconds = Math.min(FIRST_RETRY_SECONDS * 2 ** failures, MAX_RETRY_SECONDS);
        failures += 1;
        countDown(seconds, `${connectionText(code)} Your text stays. Trying again in `);
      } else {
        say(`${message[0]?.toUpperCase()}${message.slice(1)}.`);
      }
    },
  };
}

function waitText(status: number | undefined): string {
  return status === 429
    ? 'Many searches came from your address in a short time. The search goes on by itself in '
    : 'The service is busy. The search goes on by itself in ';
}

function connectionText(code: 'network' | 'timeout'): string {
  if (!navigator.onLine) return 'You are offline.';
  return code === 'timeout' ? 'The service takes too long to answer.' : 'The service cannot be reached.';
}
