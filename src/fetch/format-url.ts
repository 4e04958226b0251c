/** Formats a URL without user, password and query, which may be secrets. */
export function publicUrl({ origin, pathname }: URL): string {
  return origin + pathname;
}
