/**
 * The functions of node:http. An import of node:http reads all its exports, among them WebSocket, for which
 * Node.js loads its HTTP client undici: 30 ms of the start and 2 MB of memory in every thread.
 */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http');
