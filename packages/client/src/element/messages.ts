/** How the element says something: to everyone, and to screen readers. */
import type { ToponymError } from '../call.ts';
import { element } from './dom.ts';
import { waitText } from './hit-text.ts';
import type { SearchTexts } from './texts.ts';

/** Speech that starts between two letters would be cut off by the next letter. */
const PAUSE_MS = 400;

/** Returns a function that tells screen readers what changed, once the user pauses. */
export function createAnnouncer(region: HTMLElement): (text: string) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (text) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      region.textContent = text;
    }, PAUSE_MS);
  };
}

const FIRST_RETRY_SECONDS = 2;
const MAX_RETRY_SECONDS = 30;
/** Hosts of this machine and of private networks, where certificates are often self-signed. A page of a file has none. */
const LOCAL_HOST =
  /^$|(^|\.)local(host)?(:|$)|^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+(:|$)|^\[(::1\]|f[cd]|fe80:)/i;

/** Says kindly why there is no answer, and tries again when that can help. */
export class Trouble {
  readonly #region: HTMLElement;
  readonly #retry: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Failures of the connection since the last answer. */
  #failures = 0;
  /** Whether the service has ever answered. */
  #isReachable = false;

  /** `region` should have the role alert. */
  constructor(region: HTMLElement, retry: () => void) {
    this.#region = region;
    this.#retry = retry;
  }

  /** `service`: its address, unless it has served this script or the page. `other`: what to say of any other error. */
  show(error: ToponymError, texts: SearchTexts, { service = '', other = sentence(error.message) } = {}): void {
    const { code, status, retryAfterSeconds } = error;
    clearInterval(this.#timer);
    this.#isReachable ||= status !== undefined;
    if (retryAfterSeconds !== undefined) {
      const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
      this.#countDown(seconds, status === 429 ? texts.limited : texts.busy, texts.locale);
    } else if (code === 'network' && navigator.onLine && !this.#isReachable && isLocalHttps(service)) {
      // no script can tell a certificate that the user must accept from a service that is down
      this.#sayUntrusted(service, texts);
    } else if (code === 'network' || code === 'timeout') {
      const seconds = Math.min(FIRST_RETRY_SECONDS * 2 ** this.#failures, MAX_RETRY_SECONDS);
      const reason = code === 'timeout' ? texts.slow : navigator.onLine ? texts.unreachable : texts.offline;
      this.#failures += 1;
      addEventListener('online', this.#retryNow);
      this.#countDown(seconds, (wait) => `${reason} ${texts.retry(wait)}`, texts.locale);
    } else {
      this.say(other);
    }
  }

  say(...children: readonly (Node | string)[]): void {
    this.#region.replaceChildren(...children);
    this.#region.hidden = false;
  }

  /** The service has answered. */
  end(): void {
    this.#isReachable = true;
    this.clear();
  }

  clear(): void {
    this.#stop();
    this.#failures = 0;
    this.#region.hidden = true;
    this.#region.replaceChildren();
  }

  #stop(): void {
    clearInterval(this.#timer);
    removeEventListener('online', this.#retryNow);
    removeEventListener('focus', this.#retryNow);
  }

  readonly #retryNow = (): void => {
    this.#stop();
    this.#retry();
  };

  #sayUntrusted(service: string, texts: SearchTexts): void {
    const [before = '', after = ''] = texts.untrusted('\n').split('\n');
    this.say(before, element('a', { href: service, target: '_blank', rel: 'noreferrer' }, service), after);
    addEventListener('focus', this.#retryNow); // the user returns from the other tab
  }

  #countDown(seconds: number, text: (wait: string) => string, locale: string): void {
    // screen readers hear the text around the number, not every second
    const number = element('span', { 'aria-hidden': 'true' }, waitText(seconds, locale));
    const [before = '', after = ''] = text('\n').split('\n');
    this.say(before, number, after);
    let left = seconds;
    this.#timer = setInterval(() => {
      left -= 1;
      number.textContent = waitText(left, locale);
      if (left === 0) this.#retryNow();
    }, 1000);
  }
}

function sentence(message: string): string {
  return `${message[0]?.toUpperCase()}${message.slice(1)}.`;
}

/** Whether the service, or the page that calls it, is on this machine or in a private network. */
function isLocalHttps(service: string): boolean {
  const [protocol, , host = ''] = service.split('/');
  return protocol === 'https:' && [location.host, host].some((each) => LOCAL_HOST.test(each));
}
