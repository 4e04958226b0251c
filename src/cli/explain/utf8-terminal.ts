/** Whether the terminal shows characters beyond ASCII: by the locale, as other programs decide. */
export function isUtf8Terminal(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return true; // Node.js writes Unicode to the console
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return /utf-?8/i.test(locale);
}
