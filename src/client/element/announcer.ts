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
