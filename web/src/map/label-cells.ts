/**
 * The places whose names the map shows. The earth is divided into cells, smaller ones at higher zooms,
 * and each cell is loaded once. So moving the map back and forth costs no calls.
 */
import type { Bounds } from './bounds.ts';
import type { LabelPlace, MapOptions } from './place-map.ts';

interface Cell {
  readonly level: number;
  readonly row: number;
  readonly column: number;
}

export interface LabelSettings {
  readonly load: MapOptions['loadLabels'];
  /** Gets all places of cells at the level of the view and above it. */
  show(places: readonly LabelPlace[]): void;
}

/** 20 places each: up to 5,120 labels. */
const MAX_CELLS = 256;
const MAX_LEVEL = 11;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;

export class LabelCells {
  readonly #settings: LabelSettings;
  /** Least recently used first. */
  readonly #places = new Map<string, readonly LabelPlace[]>();
  readonly #loading = new Map<string, AbortController>();
  #view: { readonly bounds: Bounds; readonly zoom: number } | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #retryMs = FIRST_RETRY_MS;

  constructor(settings: LabelSettings) {
    this.#settings = settings;
  }

  /** The map has come to rest. Loads missing cells of the view, and cancels calls for others. */
  viewChanged(bounds: Bounds, zoom: number): void {
    this.#view = { bounds, zoom };
    this.#show();
    // after a failure, all calls wait for the retry
    if (this.#retry === undefined) this.#loadMissing();
  }

  /** Loads all again, as after a change of the language. The places stay until the new ones arrive. */
  reset(): void {
    this.#cancel(() => true);
    this.#places.clear();
    if (this.#retry === undefined) this.#loadMissing();
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#view = undefined;
    this.#cancel(() => true);
  }

  #loadMissing(): void {
    if (this.#view === undefined) return;
    const cells = cellsIn(this.#view.bounds, levelOf(this.#view.zoom));
    const wanted = new Set(cells.map(nameOf));
    this.#cancel((name) => !wanted.has(name));
    for (const cell of cells) {
      if (!this.#isKnown(cell) && !this.#loading.has(nameOf(cell))) void this.#load(cell, this.#view.zoom);
    }
  }

  async #load(cell: Cell, zoom: number): Promise<void> {
    const name = nameOf(cell);
    const call = new AbortController();
    this.#loading.set(name, call);
    try {
      const places = await this.#settings.load(boxOf(cell), zoom, call.signal);
      if (call.signal.aborted) return;
      this.#keep(name, places);
      this.#retryMs = FIRST_RETRY_MS;
      this.#show();
    } catch {
      if (!call.signal.aborted) this.#retryLater();
    } finally {
      if (this.#loading.get(name) === call) this.#loading.delete(name);
    }
  }

  #retryLater(): void {
    if (this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#loadMissing();
    }, this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
  }

  #keep(name: string, places: readonly LabelPlace[]): void {
    this.#places.set(name, places);
    const [oldest] = this.#places.keys();
    if (this.#places.size > MAX_CELLS && oldest !== undefined) this.#places.delete(oldest);
  }

  /** A cell within one without places is empty too. */
  #isKnown(cell: Cell): boolean {
    const name = nameOf(cell);
    const places = this.#places.get(name);
    if (places !== undefined) {
      this.#places.delete(name);
      this.#places.set(name, places);
      return true;
    }
    return parentsOf(cell).some((parent) => this.#places.get(nameOf(parent))?.length === 0);
  }

  #show(): void {
    if (this.#view === undefined) return;
    const level = levelOf(this.#view.zoom);
    const shown = new Map<string, LabelPlace>();
    for (const [name, places] of this.#places) {
      if (Number.parseInt(name, 10) > level) continue;
      for (const place of places) shown.set(`${place.lat},${place.lng}`, place);
    }
    this.#settings.show([...shown.values()]);
  }

  #cancel(isUnwanted: (name: string) => boolean): void {
    for (const [name, call] of this.#loading) {
      if (!isUnwanted(name)) continue;
      call.abort();
      this.#loading.delete(name);
    }
  }
}

/** At level n, the earth has 2ⁿ columns and rows. A cell is 720 to 1,450 pixels wide. */
function levelOf(zoom: number): number {
  return Math.max(0, Math.min(MAX_LEVEL, Math.round(zoom) - 1));
}

function nameOf({ level, row, column }: Cell): string {
  return `${level}/${row}/${column}`;
}

function cellsIn({ south, west, north, east }: Bounds, level: number): Cell[] {
  const count = 2 ** level;
  const toRow = (lat: number) => Math.max(0, Math.min(count - 1, Math.floor(((lat + 90) / 180) * count)));
  const toColumn = (lng: number) => Math.floor(((lng + 180) / 360) * count);
  const firstColumn = toColumn(west);
  const columns = Math.min(count, toColumn(east) - firstColumn + 1);
  const cells: Cell[] = [];
  for (let row = toRow(south); row <= toRow(north); row++) {
    for (let i = 0; i < columns; i++) cells.push({ level, row, column: (((firstColumn + i) % count) + count) % count });
  }
  return cells;
}

function boxOf({ level, row, column }: Cell): Bounds {
  const [height, width] = [180 / 2 ** level, 360 / 2 ** level];
  const [south, west] = [row * height - 90, column * width - 180];
  return { south, west, north: south + height, east: west + width };
}

function parentsOf({ level, row, column }: Cell): Cell[] {
  return Array.from({ length: level }, (_, i) => ({
    level: level - i - 1,
    row: row >> (i + 1),
    column: column >> (i + 1),
  }));
}
