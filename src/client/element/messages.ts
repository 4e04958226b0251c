/** What the element says: to everyone, and to screen readers. A page in another language replaces the texts. */
import type { PlaceType } from '../api-types.ts';
import type { ToponymError } from '../call.ts';
import { element } from './dom.ts';
import { waitText } from './hit-text.ts';

export const ENGLISH = {
  /** BCP 47 tag of the numbers. */
  locale: 'en',
  /** Name of the field, unless the attribute `label` or a `<label>` has one. */
  label: 'Search for a place',
  /** Name of the list. */
  list: 'Places',
  /** Name of the button that empties the field. */
  clear: 'Clear',
  /** What the field says if it is required and no place is selected. */
  required: 'Choose a place from the list.',
  none: 'No place found.',
  /** The index file is still being loaded. */
  loading: 'Loading the places…',
  /** Names of types; the type itself if there is none. */
  types: {} as Readonly<Partial<Record<PlaceType, string>>>,
  people: (count: string): string => `${count} people`,
  /** Another name of the place, which matched. */
  alias: (name: string): string => `also “${name}”`,
  /** What screen readers say about a list of suggestions. `total`: how many places match. */
  found: (count: number, firstLabel: string, total: number): string =>
    `${count}${total > count ? ` of ${total}` : ''} ${total === 1 ? 'place' : 'places'}. First: ${firstLabel}.`,
  /** Before a number of seconds. */
  limited: 'Too many searches from your address. The search goes on by itself in ',
  /** Before a number of seconds. */
  busy: 'The service is busy. The search goes on by itself in ',
  /** Before a number of seconds, after one of the next three. */
  retry: ' Trying again in ',
  offline: 'You are offline.',
  unreachable: 'The service cannot be reached.',
  /** No answer came from this address, a link: the browser may not trust its certificate. */
  untrusted: (address: string): string =>
    `Cannot reach ${address}. If its certificate is self-signed, open this address once and accept it. Then type again.`,
  slow: 'The service is too slow.',
  /** The service refused the key. */
  refused: 'The service refused the key of this page.',
  /** The element has no key. */
  keyMissing: 'The attribute api-key is missing.',
};

export interface SearchTexts extends Readonly<typeof ENGLISH> {}

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

  /** `service`: its address, unless it has served this script or the page. */
  show(error: ToponymError, texts: SearchTexts, service = ''): void {
    const { code, status, message, retryAfterSeconds } = error;
    clearInterval(this.#timer);
    this.#isReachable ||= status !== undefined;
    if (retryAfterSeconds !== undefined) {
      this.#countDown(Math.max(1, Math.ceil(retryAfterSeconds)), status === 429 ? texts.limited : texts.busy);
    } else if (status === 401 || status === 403) {
      this.say(code === 'key_missing' ? texts.keyMissing : texts.refused);
    } else if (code === 'network' && navigator.onLine && !this.#isReachable && isLocalHttps(service)) {
      // no script can tell a certificate that the user must accept from a service that is down
      this.#sayUntrusted(service, texts);
    } else if (code === 'network' || code === 'timeout') {
      const seconds = Math.min(FIRST_RETRY_SECONDS * 2 ** this.#failures, MAX_RETRY_SECONDS);
      const reason = code === 'timeout' ? texts.slow : navigator.onLine ? texts.unreachable : texts.offline;
      this.#failures += 1;
      addEventListener('online', this.#retryNow);
      this.#countDown(seconds, reason + texts.retry);
    } else {
      this.say(`${message[0]?.toUpperCase()}${message.slice(1)}.`);
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

  #countDown(seconds: number, text: string): void {
    // screen readers hear the text before the number, not every second
    const number = element('span', { 'aria-hidden': 'true' }, waitText(seconds));
    this.say(text, number, '.');
    let left = seconds;
    this.#timer = setInterval(() => {
      left -= 1;
      number.textContent = waitText(left);
      if (left === 0) this.#retryNow();
    }, 1000);
  }
}

/** Whether the service, or the page that calls it, is on this machine or in a private network. */
function isLocalHttps(service: string): boolean {
  const [protocol, , host = ''] = service.split('/');
  return protocol === 'https:' && [location.host, host].some((each) => LOCAL_HOST.test(each));
}
