/**
 * The state of the page, and all that follows from it. `#change` writes the URL, shows the filters and
 * searches. Typing does the same, but the search box searches; a selected place changes only the URL.
 */
import type { Client, Hit, Hits, LatLng, PlaceRecord, PlaceType } from '../../packages/client/src/client.ts';
import { ToponymError } from '../../packages/client/src/client.ts';
import { createAnnouncer, Trouble } from '../../packages/client/src/element/messages.ts';
import { ENGLISH } from '../../packages/client/src/element/texts.ts';
import type { ToponymSearch } from '../../packages/client/src/search-element.ts';
import { byId, element } from './dom.ts';
import { createFilters } from './filters.ts';
import type { Bounds } from './map/bounds.ts';
import type { MapHit, PlaceMap, Settlements } from './map/map.ts';
import { loadMap } from './map-panel.ts';
import {
  formatState,
  type PageState,
  parseState,
  queryOptions,
  type SearchRequest,
  searchRequest,
} from './page-state.ts';
import { createPlacePanel } from './place-panel.ts';
import { countText, moreText, parsePoint, pointText } from './place-text.ts';
import { createRequestPanel } from './request-panel.ts';
import { createResults } from './results.ts';
import type { Service } from './snippets.ts';

/** Texts to try, each with what it shows. */
const EXAMPLES: readonly (readonly [text: string, about: string])[] = [
  ['sprngfield il', 'a typo, and a state by its code'],
  ['ニューヨーク', 'any script'],
  ['paris, tex', 'a region that is not finished'],
  ['londres', 'names in other languages'],
  ['48.8584, 2.2945', 'coordinates: the place that contains them'],
];

/** Filters that a search around a point does not have. */
const TEXT_FILTERS = ['countries', 'near', 'radiusMeters'];

/** Types of places with names on the map. A suburban area's would be beside that of its city. */
const SETTLEMENTS: readonly PlaceType[] = ['city', 'town', 'village', 'hamlet', 'locality'];

/** Changes that follow one another make one entry of the history. */
type Series = 'typing' | 'steps' | 'map';

export class Finder {
  readonly #client: Client;
  readonly #announce = createAnnouncer(byId('announcement'));
  readonly #box = byId<ToponymSearch>('search');
  readonly #filters = createFilters((change) => {
    if (change.near === 'center') this.#center = this.#map?.center;
    const isOfText = TEXT_FILTERS.some((name) => name in change);
    this.#change({ ...change, ...(isOfText && { point: undefined }) }, change.near === 'center' ? 'map' : undefined);
  });
  readonly #results = createResults((hit) => this.#select(hit));
  readonly #panel = createPlacePanel();
  /** Of calls that the search box does not make, and a refused key. */
  readonly #trouble = new Trouble(byId('trouble'), () => this.#search());
  readonly #showRequest: (request: SearchRequest) => void;
  #map: PlaceMap | undefined;
  #state = parseState(location.search);
  #hits: readonly Hit[] = [];
  /** The selected place, if it is no hit. */
  #place: FullPlace | undefined;
  /** Whether the hits answer the state. */
  #areHitsCurrent = true;
  /** The middle of the map when it was chosen, or when the user last moved the map. */
  #center: LatLng | undefined;
  /** The point that the service found for the caller's address. */
  #ipPoint: LatLng | undefined;
  /** The coordinates that the text is. */
  #typedPoint: LatLng | undefined;
  /** The series that made the newest entry of the history, so that more of it replaces the entry. */
  #series: Series | undefined;
  /** Ends calls about a point or a place that is no longer shown. */
  #calls = new AbortController();

  constructor(client: Client, service: Service) {
    this.#client = client;
    this.#showRequest = createRequestPanel(service);
    this.#box.client = client;
    this.#box.texts = ENGLISH; // as the page, whatever the language of the hits
    this.#listenToBox();
    addEventListener('popstate', () => this.#open());
    this.#open();
    void this.#loadMap();
  }

  #listenToBox(): void {
    const box = this.#box;
    const input = box.shadowRoot?.querySelector('[role=combobox]');
    const showOneList = () => {
      byId('found').hidden = input?.ariaExpanded === 'true'; // the suggestions are the same hits
    };
    if (input) new MutationObserver(showOneList).observe(input, { attributeFilter: ['aria-expanded'] });
    // before the box searches, so that its result finds the state of its text
    box.addEventListener('input', () => this.#type(box.text), { capture: true });
    box.addEventListener('toponym-submit', () => this.#change({}));
    box.addEventListener('toponym-select', ({ detail: hit }) => {
      if (this.#state.point === undefined) this.#select(hit);
      else this.#change({ point: undefined, placeId: hit.objectID });
    });
    box.addEventListener('toponym-result', ({ detail: { result } }) => {
      if (this.#state.point === undefined) this.#showFound(result);
    });
    box.addEventListener('toponym-error', (event) => {
      this.#outdate(false);
      if (!isRefused(event.detail)) return;
      event.preventDefault();
      this.#fail(event.detail);
    });
  }

  /** Shows the state that the URL says. */
  #open(): void {
    this.#state = parseState(location.search);
    this.#series = undefined;
    this.#box.cancel();
    this.#box.text = this.#state.text;
    this.#filters.show(this.#state);
    this.#search();
  }

  #type(text: string): void {
    this.#setState({ text, placeId: undefined, point: undefined }, 'typing');
    this.#prepareSearch();
  }

  #change(change: Partial<PageState>, series?: Series): void {
    const hadPoint = this.#state.point !== undefined;
    this.#setState(change, series);
    if (hadPoint && this.#state.point === undefined) this.#box.text = this.#state.text;
    this.#search();
  }

  #setState(change: Partial<PageState>, series?: Series): void {
    const isReplaced = series !== undefined && series === this.#series;
    this.#state = { ...this.#state, ...change };
    this.#writeUrl(isReplaced);
    this.#series = series;
    this.#filters.show(this.#state);
  }

  #writeUrl(isReplaced: boolean): void {
    const url = formatState(this.#state, this.#center) || location.pathname;
    if (isReplaced) history.replaceState(null, '', url);
    else if (url !== (location.search || location.pathname)) history.pushState(null, '', url);
  }

  #search(): void {
    const request = this.#prepareSearch();
    if (request.endpoint === 'query') {
      this.#box.search(request.text);
    } else {
      this.#box.text = pointText(request.point);
      void this.#searchPoint(request, this.#calls.signal);
    }
  }

  /** Ends what is shown and asked for, and shows the new request. */
  #prepareSearch(): SearchRequest {
    const request = searchRequest(this.#state, this.#center);
    const options = queryOptions(this.#state, this.#center);
    // new options make the suggestions old
    if (JSON.stringify(options) !== JSON.stringify(this.#box.options)) this.#box.options = options;
    this.#calls.abort();
    this.#calls = new AbortController();
    this.#map?.setLanguage(this.#state.language);
    if (this.#state.placeId === undefined) this.#panel.hide();
    if (request.endpoint === 'query' && request.text.trim() === '') {
      this.#showExamples(request);
    } else {
      this.#showRequest(request);
      this.#outdate(true);
    }
    return request;
  }

  /** The hits answer another search. `isBusy`: the answer is on its way. */
  #outdate(isBusy: boolean): void {
    this.#setHitsCurrent(false);
    this.#results.outdate(isBusy);
  }

  #setHitsCurrent(areCurrent: boolean): void {
    this.#areHitsCurrent = areCurrent;
    byId('map').classList.toggle('stale', !areCurrent);
  }

  #showExamples(request: SearchRequest): void {
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
      if (signal.aborted) return;
      const where = whereText(containing.hits[0]);
      const [first] = nearest.hits;
      this.#show(nearest, nearestText(point), where);
      this.#announce(
        first === undefined
          ? where
          : `${ENGLISH.found(nearest.hits.length, first.label, nearest.hits.length)} ${where}`,
      );
    } catch (error) {
      if (signal.aborted) return;
      this.#outdate(false);
      this.#fail(error);
    }
  }

  /** Shows what the text finds. If it is coordinates, the hits are the places there, as of a click on the map. */
  #showFound(result: Hits): void {
    const [first] = result.hits;
    const point = first?.inside === undefined ? undefined : parsePoint(result.aroundLatLng ?? '');
    if (point === undefined) this.#show(result, countText(result), moreText(result));
    else this.#show(result, nearestText(point), whereText(first), point);
  }

  #show(result: Hits, title: string, note: string, typedPoint?: LatLng): void {
    this.#trouble.clear();
    this.#ipPoint = parsePoint(result.aroundLatLng ?? '');
    this.#setHits(result.hits, typedPoint);
    this.#results.show(result, title, note);
    void this.#openPlace();
  }

  #setHits(hits: readonly Hit[], typedPoint?: LatLng): void {
    this.#hits = hits;
    this.#typedPoint = typedPoint;
    this.#setHitsCurrent(true);
    this.#showOnMap();
  }

  #fail(error: unknown): void {
    if (!(error instanceof ToponymError)) throw error;
    if (error.status === 401) this.#trouble.say(NEW_KEY, reloadButton());
    else if (error.status === 403) this.#trouble.say(WRONG_HOST);
    else this.#trouble.show(error, ENGLISH);
  }

  #select(hit: Hit): void {
    this.#state = { ...this.#state, placeId: hit.objectID };
    this.#writeUrl(false);
    this.#series = undefined;
    void this.#openPlace();
  }

  /** Shows the selected place: at once if it is a hit, and its names when they arrive. */
  async #openPlace(): Promise<void> {
    const { placeId, language } = this.#state;
    const { signal } = this.#calls;
    const hit = this.#hits.find(({ objectID }) => objectID === placeId);
    this.#results.markSelected(placeId);
    if (placeId === undefined) return;
    const show = (place: Hit | FullPlace) => {
      this.#panel.show(place);
      this.#box.hit = place;
    };
    if (hit !== undefined) show(hit);
    this.#showOnMap();
    try {
      const record = await this.#client.get(placeId, { ...(language && { language }), signal });
      if (signal.aborted || this.#state.placeId !== placeId) return;
      if (hit === undefined) {
        this.#place = record;
        show(record);
        this.#showOnMap();
      }
      this.#panel.addNames(record);
    } catch (error) {
      // the names are an extra: without them the panel still shows the hit
      if (hit === undefined && !signal.aborted) this.#fail(error);
    }
  }

  #showOnMap(): void {
    const { near, radiusMeters, placeId } = this.#state;
    const point = this.#state.point ?? this.#typedPoint;
    const isHit = this.#hits.some(({ objectID }) => objectID === placeId);
    const place = !isHit && this.#place?.objectID === placeId ? this.#place : undefined;
    const hits = [...this.#hits, ...(place ? [place] : [])].map(mapHitOf);
    const center = near === 'center' ? this.#center : near === 'ip' ? this.#ipPoint : near;
    this.#map?.showHits(hits, placeId, point);
    this.#map?.showPoint(point ?? center, point ? 'Nearest places to this point' : 'Prefer places near this point');
    this.#map?.showRadius(point === undefined ? center : undefined, radiusMeters);
  }

  /** Finds the names for a close view of the map. */
  async #findSettlements({ south, west, north, east }: Bounds, signal: AbortSignal): Promise<Settlements> {
    const { hits, nbHits } = await this.#client.query('', {
      ...{ insideBoundingBox: [south, wrapped(west), north, wrapped(east)], type: SETTLEMENTS },
      ...{ language: this.#state.language || 'en', retries: 0, signal },
    });
    return {
      places: hits.map(({ name, population, _geoloc }) => ({ name, population, ..._geoloc })),
      areAll: hits.length === nbHits,
    };
  }

  async #loadMap(): Promise<void> {
    this.#map = await loadMap({
      findSettlements: (view, signal) => this.#findSettlements(view, signal),
      onClick: (point) => this.#change({ point, placeId: undefined }),
      onHitClick: (id) => {
        const hit = this.#hits.find(({ objectID }) => objectID === id);
        if (hit !== undefined && this.#areHitsCurrent) this.#select(hit);
      },
      onPointMoved: (point, isStep) =>
        this.#change(
          (this.#state.point ?? this.#typedPoint) ? { point } : { near: point },
          isStep ? 'steps' : undefined,
        ),
      onMoved: (center) => {
        this.#center = center;
        if (this.#state.near === 'center') this.#change({}, 'map');
      },
      onFailed: () => {
        this.#map = undefined;
        this.#filters.offerMapCenter(false);
      },
    });
    if (this.#map === undefined) return;
    this.#map.setLanguage(this.#state.language);
    this.#filters.offerMapCenter(true);
    this.#showOnMap();
  }
}

const NEW_KEY = 'The service has restarted, so this page needs a new key. Your text stays. ';

const WRONG_HOST =
  'The service refuses the key of this page, because it sees another host name than your browser. ' +
  'The proxy in front of the service must pass the Host header on.';

function nearestText(point: LatLng): string {
  return `Nearest to ${pointText(point)}`;
}

/** `hit`: the place that contains the point, or the nearest one. */
function whereText(hit: Hit | undefined): string {
  return hit?.inside ? `The point is in ${hit.label}.` : 'The point is in no place of the data.';
}

/** MapLibre's longitudes continue beyond the antimeridian. */
const wrapped = (lng: number) => ((lng + 540) % 360) - 180;

function isRefused({ status }: ToponymError): boolean {
  return status === 401 || status === 403;
}

function reloadButton(): HTMLElement {
  const button = element('button', { type: 'button' }, 'Reload the page');
  button.addEventListener('click', () => location.reload());
  return button;
}

function mapHitOf({ objectID, label, bbox, _geoloc }: PlaceRecord): MapHit {
  return { id: objectID, label, bbox, ..._geoloc };
}

type FullPlace = Awaited<ReturnType<Client['get']>>;
