/**
 * What we use of `node:http`, taken without an `import` of it: that reads every export, and reading `WebSocket` loads a
 * whole HTTP client, in every thread, at every start.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
