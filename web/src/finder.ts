/**
 * The state of the page, and all that follows from it. Every change goes through `#change`: it
 * writes the URL, shows the filters and searches.
 */
import type { Client, Hit, Hits, LatLng, Typeahead } from '../../src/client/client.ts';
import { ToponymError } from '../../src/client/client.ts';
import { createAnnouncer } from './announcer.ts';
import { byId } from './dom.ts';
import { EXAMPLES } from './examples.ts';
import { createFilters } from './filters.ts';
import type { PlaceMap } from './map/map.ts';
import { loadMap } from './map-panel.ts';
import { formatState, type PageState, parseState } from './page-state.ts';
import { createPlacePanel } from './place-panel.ts';
import { countText, parsePoint, pointText } from './place-text.ts';
import { createRequestPanel } from './request-panel.ts';
import { createResults } from './results.ts';
import { SearchBox } from './search-box.ts';
import { type SearchRequest, searchRequest } from './search-request.ts';
import type { Service } from './snippets.ts';
import { createTrouble } from './trouble.ts';

const MAX_SUGGESTIONS = 7;
/** The service is near and fast, so a short pause is enough. */
const DEBOUNCE_MS = 50;

export class Finder {
  readonly #client: Client;
  readonly #typeahead: Typeahead;
  readonly #announce = createAnnouncer(byId('announcement'));
  readonly #box = new SearchBox({
    onTyped: (text) => this.#type(text),
    onSubmitted: () => this.#change({}),
    onSelected: (hit) => this.#select(hit),
  });
  readonly #filters = createFilters((change) => {
    if (change.near === 'center') this.#center = this.#map?.center;
    this.#change({ ...change, point: undefined });
  });
  readonly #results = createResults((hit) => this.#select(hit));
  readonly #panel = createPlacePanel();
  readonly #trouble = createTrouble(() => this.#search());
  readonly #showRequest: (request: SearchRequest) => void;
  #map: PlaceMap | undefined;
  #state = parseState(location.search);
  #hits: readonly Hit[] = [];
  /** The middle of the map when it was chosen, or when the user last moved the map. */
  #center: LatLng | undefined;
  /** The point that the service found for the caller's address. */
  #ipPoint: LatLng | undefined;
  /** Whether the newest entry of the history came from typing, so that more typing replaces it. */
  #isEntryTyped = false;
  /** Ends calls about a point or a place that is no longer shown. */
  #calls = new AbortController();

  constructor(client: Client, service: Service) {
    this.#client = client;
    this.#showRequest = createRequestPanel(service);
    this.#typeahead = client.typeahead({
      debounceMs: DEBOUNCE_MS,
      onResult: (result) => this.#show(result, countText(result)),
      onError: (error) => this.#fail(error),
    });
    addEventListener('popstate', () => this.#open());
    this.#open();
    void this.#loadMap();
  }

  /** Shows the state that the URL says. */
  #open(): void {
    this.#state = parseState(location.search);
    this.#isEntryTyped = false;
    this.#box.close();
    this.#box.text = this.#state.text;
    this.#filters.show(this.#state);
    this.#search();
  }

  #type(text: string): void {
    this.#change({ text, placeId: undefined, point: undefined }, { isReplaced: this.#isEntryTyped });
    this.#isEntryTyped = true;
  }

  #change(change: Partial<PageState>, { isReplaced = false } = {}): void {
    this.#state = { ...this.#state, ...change };
    this.#writeUrl(isReplaced);
    this.#filters.show(this.#state);
    this.#search();
  }

  #writeUrl(isReplaced: boolean): void {
    const url = formatState(this.#state, this.#center) || location.pathname;
    if (isReplaced) history.replaceState(null, '', url);
    else if (url !== (location.search || location.pathname)) history.pushState(null, '', url);
    this.#isEntryTyped = false;
  }

  #search(): void {
    const request = searchRequest(this.#state, this.#center);
    this.#calls.abort();
    this.#calls = new AbortController();
    if (this.#state.placeId === undefined) this.#panel.hide();
    if (request.endpoint === 'query' && request.text.trim() === '') {
      this.#showExamples(request);
      return;
    }
    this.#showRequest(request);
    if (request.endpoint === 'query') {
      this.#typeahead.type(request.text, request.options);
    } else {
      this.#typeahead.close();
      void this.#searchPoint(request, this.#calls.signal);
    }
  }

  #showExamples(request: SearchRequest): void {
    this.#typeahead.close();
    this.#trouble.clear();
    this.#showRequest({ ...request, endpoint: 'query', text: 'paris' });
    this.#setHits([]);
    this.#results.showExamples({ texts: EXAMPLES, onChosen: (text) => this.#choose(text) });
    void this.#openPlace();
  }

  #choose(text: string): void {
    this.#box.text = text;
    this.#change({ text });
  }

  async #searchPoint(
    { point, options }: Extract<SearchRequest, { endpoint: 'reverse' }>,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const [nearest, containing] = await Promise.all([
        this.#client.reverse(point, { ...options, signal }),
        this.#client.reverse(point, { ...options, hitsPerPage: 1, mode: 'containing', signal }),
      ]);
      const [around] = containing.hits;
      const where = around?.inside ? `The point is in ${around.label}.` : 'The point is in no place of the data.';
      this.#show(nearest, `Nearest to ${pointText(point)}`, where);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  #show(result: Hits, title: string, note = ''): void {
    this.#trouble.clear();
    this.#ipPoint = parsePoint(result.aroundLatLng ?? '');
    this.#setHits(result.hits);
    this.#results.show(result, title, note);
    const [first] = result.hits;
    const count = result.hits.length === 1 ? '1 place' : `${result.hits.length} places`;
    this.#announce(first === undefined ? 'No place found.' : `${count}. First: ${first.label}. ${note}`);
    void this.#openPlace();
  }

  #setHits(hits: readonly Hit[]): void {
    this.#hits = hits;
    this.#box.suggest(this.#state.point === undefined ? hits.slice(0, MAX_SUGGESTIONS) : []);
    this.#showOnMap();
  }

  #fail(error: unknown): void {
    if (!(error instanceof ToponymError)) throw error;
    this.#box.suggest([]);
    this.#trouble.show(error);
  }

  #select(hit: Hit): void {
    this.#state = { ...this.#state, placeId: hit.objectID };
    this.#writeUrl(false);
    void this.#openPlace();
  }

  /** Shows the selected place: at once if it is a hit, and its names when they arrive. */
  async #openPlace(): Promise<void> {
    const { placeId, language, point } = this.#state;
    const { signal } = this.#calls;
    const hit = this.#hits.find(({ objectID }) => objectID === placeId);
    this.#results.markSelected(placeId);
    if (placeId === undefined) return;
    const show = (place: Hit | FullPlace) => {
      this.#panel.show(place);
      if (point === undefined) this.#box.text = place.label;
    };
    if (hit !== undefined) show(hit);
    this.#showOnMap();
    try {
      const record = await this.#client.get(placeId, { ...(language && { language }), signal });
      if (signal.aborted || this.#state.placeId !== placeId) return;
      if (hit === undefined) show(record);
      this.#panel.addNames(record);
    } catch (error) {
      // the names are an extra: without them the panel still shows the hit
      if (hit === undefined && !signal.aborted) this.#fail(error);
    }
  }

  #showOnMap(): void {
    const { near, radiusMeters, placeId, point } = this.#state;
    const hits = this.#hits.map(({ objectID, label, _geoloc }) => ({ id: objectID, label, ..._geoloc }));
    const center = near === 'center' ? this.#center : near === 'ip' ? this.#ipPoint : near;
    this.#map?.showHits(hits, placeId);
    this.#map?.showBias(point ?? center);
    this.#map?.showRadius(point === undefined ? center : undefined, radiusMeters);
  }

  async #loadMap(): Promise<void> {
    this.#map = await loadMap({
      onClick: (point) => this.#change({ point, placeId: undefined }),
      onHitClick: (id) => {
        const hit = this.#hits.find(({ objectID }) => objectID === id);
        if (hit !== undefined) this.#select(hit);
      },
      onBiasMoved: (point) => this.#change(this.#state.point === undefined ? { near: point } : { point }),
      onMoved: (center) => {
        this.#center = center;
        if (this.#state.near === 'center') this.#change({}, { isReplaced: true });
      },
      loadLabels: (box, _zoom, signal) => this.#loadLabels(box, signal),
    });
    if (this.#map === undefined) return;
    this.#filters.addMapCenter();
    this.#showOnMap();
  }

  /** The most important places of the box. */
  async #loadLabels(box: { south: number; west: number; north: number; east: number }, signal: AbortSignal) {
    const { language } = this.#state;
    const { hits } = await this.#client.query('', {
      insideBoundingBox: [box.south, box.west, box.north, box.east],
      ...(language && { language }),
      signal,
    });
    return hits.map(({ name, population = 0, _geoloc }) => ({ name, population, ..._geoloc }));
  }
}

type FullPlace = Awaited<ReturnType<Client['get']>>;
