/** Says kindly why there is no answer, and tries again when that can help. */
import type { ToponymError } from '../toponym-error.ts';
import { element } from './dom.ts';
import { waitText } from './hit-text.ts';
import type { SearchTexts } from './texts.ts';

const FIRST_RETRY_SECONDS = 2;
const MAX_RETRY_SECONDS = 30;

export class Trouble {
  readonly #region: HTMLElement;
  readonly #retry: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Failures of the connection since the last answer. */
  #failures = 0;

  /** `region` should have the role alert. */
  constructor(region: HTMLElement, retry: () => void) {
    this.#region = region;
    this.#retry = retry;
  }

  show(error: ToponymError, texts: SearchTexts): void {
    const { code, status, message, retryAfterSeconds } = error;
    clearInterval(this.#timer);
    if (retryAfterSeconds !== undefined) {
      this.#countDown(Math.max(1, Math.ceil(retryAfterSeconds)), status === 429 ? texts.limited : texts.busy);
    } else if (status === 401 || status === 403) {
      this.say(texts.refused);
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

  clear(): void {
    this.#stop();
    this.#failures = 0;
    this.#region.hidden = true;
    this.#region.replaceChildren();
  }

  #stop(): void {
    clearInterval(this.#timer);
    removeEventListener('online', this.#retryNow);
  }

  readonly #retryNow = (): void => {
    this.#stop();
    this.#retry();
  };

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
