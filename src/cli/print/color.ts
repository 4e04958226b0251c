/** Decides for each output stream whether it gets colours. */
let isAllowed = true;

/** Forbids colours for the rest of this command, as `--no-color` does, or allows them again. */
export function allowColor(isColorAllowed: boolean): void {
  isAllowed = isColorAllowed;
}

/** `--no-color` and NO_COLOR win over FORCE_COLOR. An empty variable counts as not set. */
export function hasColor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  if (!isAllowed || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return stream.isTTY === true && env.TERM !== 'dumb';
}
