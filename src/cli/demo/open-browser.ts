/** Opens a page in the user's browser, if there is one. */
import { spawn } from 'node:child_process';

/** The command that opens a URL; undefined without a display. */
export function browserCommand(
  url: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open', url];
  // `start` takes a quoted argument for the title of a window, and Node.js quotes an empty one
  if (platform === 'win32') return ['cmd', '/c', 'start', '', url];
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  return hasDisplay ? ['xdg-open', url] : undefined;
}

/** Says nothing if it fails: the user has the URL. The browser outlives this process. */
export function openBrowser(url: string): void {
  const [command, ...args] = browserCommand(url, process.env, process.platform) ?? [];
  if (command === undefined) return;
  const child = spawn(command, args, { detached: true, stdio: 'ignore' });
  child.on('error', () => {}); // not installed
  child.unref();
}
