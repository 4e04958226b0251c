/** What the scripts of the pages read from the HTML. Imports nothing, because web/ uses it too. */
export interface PageFacts {
  /** Absent if the page at `/` is off. */
  readonly key?: string | undefined;
  readonly keyHeader: string;
  readonly version: string;
  readonly dataset: { readonly version: string; readonly places: number; readonly attribution: readonly string[] };
}
