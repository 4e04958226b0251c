/** The result of one examination, with advice unless all is well. */
export type Verdict =
  | { readonly level: 'ok'; readonly message: string }
  | { readonly level: 'warning' | 'problem'; readonly message: string; readonly advice: string };

/** A verdict and what it is about, such as `certificate`. */
export type Finding = { readonly area: string } & Verdict;

export function ok(message: string): Verdict {
  return { level: 'ok', message };
}

/** The service works, but not as well or not as long as it could. */
export function warning(message: string, advice: string): Verdict {
  return { level: 'warning', message, advice };
}

/** The service does not start, refuses calls or is not safe. */
export function problem(message: string, advice: string): Verdict {
  return { level: 'problem', message, advice };
}
