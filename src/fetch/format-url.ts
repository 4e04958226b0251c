/** Formats a URL for messages, without user, password and query. */
export function displayUrl({ origin, pathname }: URL): string {
  return origin + pathname;
}

/** Formats a URL for metadata files, without user and password. */
export function storedUrl(url: URL): string {
  const stored = new URL(url);
  stored.username = '';
  stored.password = '';
  return stored.href;
}
