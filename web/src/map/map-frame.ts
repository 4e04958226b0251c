/** What surrounds the map's canvas: zoom buttons, credits, and a notice when the map cannot be drawn. */
import type { Map as MapLibre } from 'maplibre-gl';
import css from './map.css' with { type: 'text' };

const CREDITS = 'Natural Earth · GeoNames · MapLibre';

export interface MapFrame {
  /** Shows a notice on the map; an empty text removes it. */
  setNotice(text: string): void;
  remove(): void;
}

export function createFrame(map: MapLibre): MapFrame {
  const styles = new CSSStyleSheet();
  styles.replaceSync(css);
  document.adoptedStyleSheets.push(styles);

  const zoom = document.createElement('div');
  zoom.className = 'map-zoom';
  zoom.append(
    zoomButton('+', 'Zoom in', (originalEvent) => map.zoomIn({}, { originalEvent })),
    zoomButton('−', 'Zoom out', (originalEvent) => map.zoomOut({}, { originalEvent })),
  );
  const credits = paragraph('map-credits');
  credits.textContent = CREDITS;
  const notice = paragraph('map-notice');
  notice.setAttribute('role', 'status');
  const parts = [zoom, credits, notice];
  map.getContainer().append(...parts);

  const crosshair = document.createElement('div');
  crosshair.className = 'map-crosshair';
  map.getCanvasContainer().append(crosshair);

  return {
    setNotice: (text) => {
      notice.textContent = text;
    },
    remove: () => {
      for (const part of parts) part.remove();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== styles);
    },
  };
}

function paragraph(className: string): HTMLElement {
  const element = document.createElement('p');
  element.className = className;
  return element;
}

function zoomButton(text: string, name: string, onClick: (event: Event) => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.setAttribute('aria-label', name);
  button.title = name;
  button.addEventListener('click', onClick);
  return button;
}
