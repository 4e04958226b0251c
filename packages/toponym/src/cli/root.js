/** The root of the clone or of the published package: `packages/toponym/src/cli` or `dist/toponym/cli` is in it. */
const isClone = import.meta.url.endsWith('/src/cli/root.js');
export const root = new URL(isClone ? '../../../../' : '../../../', import.meta.url);
