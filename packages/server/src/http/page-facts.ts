/** What the scripts of the pages read from the HTML. Imports nothing, because web/ uses it too. */
export interface PageFacts {
  /** Empty if the page at `/` is off. */
  readonly key: string;
  readonly keyHeader: string;
  readonly version: string;
  /** Whether clients must be told to accept the certificate. */
  readonly isSelfSigned: boolean;
  /** Pins the script of `<toponym-search>`. */
  readonly elementIntegrity: string;
  readonly dataset: { readonly version: string; readonly places: number; readonly attribution: readonly string[] };
}
