/** The part of topojson-client that the map uses. The package has no types of its own. */
declare module 'topojson-client' {
  export interface Topology {
    readonly objects: Readonly<Record<string, unknown>>;
  }
  export function feature(topology: Topology, object: unknown): import('geojson').GeoJSON;
}
