/** An index may be named by a URL, but only for `toponym serve`. */
import { UsageError } from '../errors/errors.ts';
import { publicUrl } from '../fetch/urls.ts';

/** Whether the text begins like a URL. The URL may still be invalid. */
export function isIndexUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

/** Throws UsageError if an index that must be a file is a URL. */
export function refuseIndexUrl(text: string): void {
  if (!isIndexUrl(text)) return;
  const url = URL.parse(text);
  const got = url === null ? 'a URL' : publicUrl(url);
  throw new UsageError(
    `The index must be a file, got ${got}: only "toponym serve" takes a URL. Download the file first.`,
  );
}
