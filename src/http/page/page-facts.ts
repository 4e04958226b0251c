/** What the scripts of the page read from its HTML. The page imports this file. */
export interface PageFacts {
  readonly key: string;
  readonly keyHeader: string;
  readonly version: string;
  /** Whether clients must be told to accept the certificate. */
  readonly isSelfSigned: boolean;
  readonly dataset: { readonly version: string; readonly places: number; readonly attribution: readonly string[] };
}
