/** Formats a URL without user, password and query, for messages and public files. */
export function publicUrl({ origin, pathname }: URL): string {
  return origin + pathname;
}

/** Formats a URL without user and password. */
export function storedUrl(url: URL): string {
  const stored = new URL(url);
  stored.username = '';
  stored.password = '';
  return stored.href;
}
