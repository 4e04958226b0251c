/** The thread of name-indexing.ts. */
import { serveTasks } from 'toponym-files/thread';
import { PlaceStore, type SharedNames } from '../place-store.ts';
import type { RankedPlaces } from '../rank-places.ts';
import { NameIndexBuilder, type NameSections } from './name-index.ts';

type Request = { readonly names: SharedNames } | { readonly ranked: Pick<RankedPlaces, 'rows' | 'importance'> };
type OnProgress = (progress: { readonly rows: number } | { readonly keys: number }) => void;

let builder: NameIndexBuilder | undefined;

/** The sections are those of all names so far; without ranked places, there are none yet. */
export function indexNames(request: Request, onProgress: OnProgress): Partial<NameSections> {
  builder ??= new NameIndexBuilder({
    onRows: (rows) => onProgress({ rows }),
    onKeys: (keys) => onProgress({ keys }),
  });
  if ('ranked' in request) return builder.build(request.ranked);
  builder.addRows(new PlaceStore(request.names), request.names.length);
  return {};
}

serveTasks(indexNames, (sections) => Object.values(sections).map(({ buffer }) => buffer as ArrayBuffer));
