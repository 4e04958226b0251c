/** The page at `/`. */
import { readFacts } from './facts.ts';

document.title += ` ${readFacts().version}`;
