/**
 * Lines without sharp corners. The map's file has rivers in coarse steps, whose corners a close map would
 * show.
 */
import type { GeoJSON, Position } from 'geojson';

export function withSmoothLines(data: GeoJSON): GeoJSON {
  if (data.type === 'FeatureCollection') {
    return { ...data, features: data.features.map((river) => withSmoothLines(river) as typeof river) };
  }
  if (data.type === 'Feature') return { ...data, geometry: withSmoothLines(data.geometry) as typeof data.geometry };
  if (data.type === 'LineString') return { ...data, coordinates: smoothLine(data.coordinates) };
  if (data.type === 'MultiLineString') return { ...data, coordinates: data.coordinates.map(smoothLine) };
  return data;
}

/** Cuts the corners twice, as Chaikin does. The ends stay, so that rivers meet. */
export function smoothLine(line: Position[]): Position[] {
  return cutCorners(cutCorners(line));
}

function cutCorners(line: Position[]): Position[] {
  const [first, last] = [line[0], line.at(-1)];
  if (first === undefined || last === undefined || line.length < 3) return line;
  const cut = line.slice(1).flatMap(([x2 = 0, y2 = 0], i): Position[] => {
    const [x1 = 0, y1 = 0] = line[i] ?? [];
    return [
      [x1 + (x2 - x1) / 4, y1 + (y2 - y1) / 4],
      [x2 - (x2 - x1) / 4, y2 - (y2 - y1) / 4],
    ];
  });
  return [first, ...cut.slice(1, -1), last];
}
