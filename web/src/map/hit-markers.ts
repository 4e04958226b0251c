/** The hits of a search as numbered buttons on the map. */
import { type Map as MapLibre, Marker } from 'maplibre-gl';
import type { MapHit } from './place-map.ts';

export class HitMarkers {
  readonly #map: MapLibre;
  readonly #onClick: (id: string) => void;
  readonly #markers = new Map<string, Marker>();

  constructor(map: MapLibre, onClick: (id: string) => void) {
    this.#map = map;
    this.#onClick = onClick;
  }

  /** Keeps the buttons of hits that stay, so that a focused one keeps the focus. */
  show(hits: readonly MapHit[], selectedId: string | undefined): void {
    const ids = new Set(hits.map(({ id }) => id));
    for (const [id, marker] of this.#markers) {
      if (ids.has(id)) continue;
      marker.remove();
      this.#markers.delete(id);
    }
    for (const [i, hit] of hits.entries()) {
      const marker = this.#markers.get(hit.id) ?? this.#add(hit);
      const button = marker.setLngLat(hit).getElement();
      button.setAttribute('aria-label', hit.label);
      button.setAttribute('aria-pressed', String(hit.id === selectedId));
      button.dataset.number = String(i + 1);
      // better hits are on top, and the selected one is above all
      button.style.zIndex = String(hit.id === selectedId ? hits.length + 1 : hits.length - i);
    }
  }

  #add(hit: MapHit): Marker {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'map-hit';
    button.addEventListener('click', (event) => {
      event.stopPropagation(); // it is no click on the map
      this.#onClick(hit.id);
    });
    button.addEventListener('focus', () => this.#moveIntoView(button, hit));
    const marker = new Marker({ element: button, opacityWhenCovered: 0 }).setLngLat(hit).addTo(this.#map);
    this.#markers.set(hit.id, marker);
    return marker;
  }

  /** The keyboard can reach buttons outside the view and on the other side of the globe. */
  #moveIntoView(button: HTMLElement, hit: MapHit): void {
    if (!button.matches(':focus-visible')) return;
    const { width, height } = this.#map.getContainer().getBoundingClientRect();
    const { x, y } = this.#map.project(hit);
    const isVisible = x > 0 && x < width && y > 0 && y < height && button.style.opacity !== '0';
    if (!isVisible) this.#map.easeTo({ center: hit });
  }
}
