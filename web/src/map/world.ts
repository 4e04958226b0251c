/** Loads the map's own data: land, borders, lakes and rivers. */
import type { GeoJSON } from 'geojson';
import { feature, type Topology } from 'topojson-client';
import { withSmoothLines } from './smooth-lines.ts';

/** Returns each layer under its name. */
export async function loadWorld(url: string, signal: AbortSignal): Promise<Record<string, GeoJSON>> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${url}: HTTP status ${response.status}`);
  const topology: Topology = await response.json();
  const layers = Object.entries(topology.objects).map(([name, object]) => [name, feature(topology, object)] as const);
  return Object.fromEntries(layers.map(([name, data]) => [name, name === 'rivers' ? withSmoothLines(data) : data]));
}
