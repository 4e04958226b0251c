/** The root of the clone or of the published package, as a URL: `packages/files/src` or `dist/files` is in it. */
export const ROOT = new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../../', import.meta.url);
