/** Builds the index of the embedded data for the tests, if it is missing. */
import { builtIndex } from './built-index.ts';

await builtIndex();
