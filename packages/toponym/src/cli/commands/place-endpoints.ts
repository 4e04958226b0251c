/**
 * The endpoints of the API without a server. The API's own code parses the options and writes the response, so the
 * results are the same.
 */

import { MAX_RECORDS } from 'toponym-access/keys/key-record';
import type { Engine } from 'toponym-engine/engine';
import { openEngine } from 'toponym-engine/open-engine';
import type { EndpointName } from 'toponym-engine/options';
import { UsageError } from 'toponym-files/errors/errors';
import { loadWorldBorders } from 'toponym-files/load-world-borders';
import { chooseIndex } from 'toponym-gazetteer/datasets/index-choice';
import { loadIndex, withOverlay } from 'toponym-gazetteer/datasets/load-index';
import { ENDPOINTS } from 'toponym-server/http/endpoints';
import { parseLanguage, readOptions } from 'toponym-server/http/request/read-options';
import { textFromByteString } from 'toponym-server/http/response/json-writer';
import { embeddedIpDatabasePaths, openIpDatabase } from 'toponym-server/locate/ip-database';
import { createLocator } from 'toponym-server/locate/locator';
import { stateFolderAt } from 'toponym-server/serve/state-folder';
import { createProgress, withIndexingProgress } from '../print/progress.ts';
import type { Settings } from '../settings/settings.ts';

/** Checks the options before it waits for the engine. Throws RequestError. */
export async function callEndpoint(
  name: EndpointName,
  given: URLSearchParams,
  openEngineOnce: () => Promise<Engine>,
): Promise<object> {
  const endpoint = ENDPOINTS.find((each) => each.name === name)!;
  const noBody = undefined;
  const options = readOptions(String(given), noBody, endpoint.options);
  const response = endpoint.respond(options, {
    engine: await openEngineOnce(),
    maxRecords: MAX_RECORDS,
    callerAddress: { family: 4, bytes: [127, 0, 0, 1] }, // this machine
    // opens the IP databases only if an address must be located
    locate: (address) => createLocator(embeddedIpDatabasePaths().map(openIpDatabase))(address),
  });
  return JSON.parse(textFromByteString(response)) as object;
}

export async function openPlaces(settings: Settings): Promise<Engine> {
  return openEngine(await loadPlaces(settings), { loadBorders: loadWorldBorders });
}

/** The index that the settings name, with their overlay. Shows progress on standard error while one is built. */
export async function loadPlaces(settings: Settings): Promise<SharedArrayBuffer> {
  const { indexFolder } = stateFolderAt(settings.state);
  const choice = chooseIndex(settings.index, indexFolder);
  const index = await withIndexingProgress((callbacks) => loadIndex(choice, indexFolder, callbacks));
  const progress = createProgress('Index with the overlay');
  const options = { onProgress: progress.show };
  return await withOverlay(index, settings.overlay, indexFolder, options).finally(() => progress.end());
}

/** The API ignores a malformed tag, which a program may have from a browser. Here it is a mistake. */
export function checkLanguage(tag: string | null): void {
  if (tag === null || parseLanguage(tag) !== undefined) return;
  throw new UsageError(`--language: must be a language tag such as fr or zh-TW, got ${JSON.stringify(tag)}.`);
}
