/** An error whose message tells a user all there is to know. Shown without a stack, with exit code 1. */
export class PlainError extends Error {}
