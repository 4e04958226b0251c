/** Loads the map after the search box works. Without a map, the page is a list and says so. */
import { byId } from './dom.ts';
import type { MapOptions, PlaceMap } from './map/map.ts';

export async function loadMap(
  events: Omit<MapOptions, 'workerUrl' | 'worldUrl' | 'closeWorldUrl' | 'labelsUrl'>,
): Promise<PlaceMap | undefined> {
  await idle();
  const module = await import('./map/map.ts').catch(() => undefined);
  if (module === undefined) return showNote(NOT_LOADED);
  const { mapWorker = '', world = '', closeWorld = '', labels = '' } = document.body.dataset;
  try {
    const map = module.createMap(byId('map'), {
      ...{ workerUrl: mapWorker, worldUrl: world, closeWorldUrl: closeWorld, labelsUrl: labels, ...events },
      onFailed: () => {
        map.close();
        showNote(NOT_LOADED);
        events.onFailed();
      },
    });
    return map;
  } catch (error) {
    if (!(error instanceof module.NoWebGl)) throw error;
    return showNote('Your browser cannot draw the map, which needs WebGL.');
  }
}

const NOT_LOADED = 'The map cannot be loaded.';

function showNote(reason: string): undefined {
  byId('map').hidden = true;
  byId('map-note').hidden = false;
  byId('map-note').textContent = `${reason} Everything else works: places are shown as a list.`;
}

/** Resolves when the browser has nothing to do. Safari has no requestIdleCallback. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 200);
  });
}
