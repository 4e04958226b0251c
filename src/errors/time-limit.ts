/** Settles as `promise` does, but rejects with `lateError()` if that takes longer than `limitMs`. */
export async function withTimeLimit<T>(promise: Promise<T>, limitMs: number, lateError: () => Error): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  // after a pause of this process, a reply that has arrived meanwhile is read before setImmediate
  const timer = setTimeout(() => setImmediate(() => reject(lateError())), limitMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
