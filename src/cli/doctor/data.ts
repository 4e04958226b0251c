/** Checks of the index that would be served, its overlay, the server of its URL, and the IP databases. */
import { existsSync, statSync } from 'node:fs';
import { readCachedIndex } from '../../datasets/embedded-index.ts';
import { chooseIndex, EMBEDDED, type IndexChoice, updatedIndexPath } from '../../datasets/index-choice.ts';
import { indexPaths, readUpdatedIndex, readVerifiedIndex } from '../../datasets/load-index.ts';
import { errorMessage } from '../../errors/errors.ts';
import { formatStatus, sendGet, systemClock } from '../../fetch/get-request.ts';
import { publicUrl } from '../../fetch/urls.ts';
import { dataDate, formatDateAndAge, MAX_DATA_AGE_DAYS } from '../../http/data-age.ts';
import { checkIpDatabases, openIpReader } from '../../locate/ip-database.ts';
import { commandName } from '../../program.ts';
import { checkPlaceCount } from '../../serve/reload/new-data.ts';
import { copyPath } from '../../serve/remote/index-download.ts';
import { updateCommand } from '../print/data-text.ts';
import { formatCount } from '../print/facts.ts';
import { DAY_MS, type DoctorContext, judge, ok, type Verdict, warning } from './check.ts';

/** The index that the settings select, and its path, at which there may be no file. */
export function servedIndex({ settings, state }: DoctorContext): { choice: IndexChoice; path: string } {
  const choice = chooseIndex(settings.index, state.indexFolder);
  if (choice.kind === 'url') return { choice, path: copyPath(choice.url, state.indexFolder) };
  const paths = indexPaths(choice, state.indexFolder);
  return { choice, path: paths.find(existsSync) ?? paths[0] ?? '' };
}

export async function* checkIndex(context: DoctorContext): AsyncGenerator<Verdict> {
  const { settings, now } = context;
  const { choice, path } = servedIndex(context);
  const isOfUser = choice.kind === 'file' || choice.kind === 'updated';
  if (!isOfUser && !existsSync(path)) return yield ok('none yet: the first start builds or downloads it');
  const read =
    choice.kind === 'file' ? readVerifiedIndex : choice.kind === 'updated' ? readUpdatedIndex : readCachedIndex;
  const index = read(path);
  if (index === undefined) {
    return yield warning(`${path} is damaged`, 'Start the service: it builds or downloads this index again.');
  }
  const { allowShrunkenData, overlay } = settings;
  const { version, places } = checkPlaceCount(index, { indexPath: path, allowShrunkenData, served: undefined });
  yield ok(`${path}: ${version}, ${formatCount(places)} places, verified`);
  const date = dataDate(version) ?? statSync(path).mtime;
  const age = `the data is of ${formatDateAndAge(date, now)}`;
  yield judge({ isWarning: isOld(date, now) }, age, newerDataAdvice(choice, context));
  if (overlay === undefined) return;
  // imported only if needed, because it loads the code that builds indexes
  const { overlaySource } = await import('../../datasets/overlay-index.ts');
  await overlaySource(overlay).build(index);
  yield ok(`overlay ${overlay} fits the index`);
}

function isOld(date: Date, now: Date): boolean {
  return now.getTime() - date.getTime() >= (MAX_DATA_AGE_DAYS + 1) * DAY_MS;
}

function newerDataAdvice(choice: IndexChoice, { settings, state }: DoctorContext): string {
  const updated = updatedIndexPath(state.indexFolder);
  if (choice.kind === 'url') {
    return 'Publish a newer index at that URL, for example every night with "toponym update".';
  }
  if (settings.index === EMBEDDED) return `Leave out --index ${EMBEDDED}, and run "${commandName()} update".`;
  if (choice.kind !== 'file') {
    return `Run "${updateCommand(settings)}": a running service serves the newest data of GeoNames within seconds.`;
  }
  return choice.path !== updated && existsSync(updated)
    ? `Leave out --index to serve ${updated}, which an update built.`
    : `Build the index again from newer data. Or leave out --index: then "${commandName()} update" is enough.`;
}

/** Asks the server of an index at a URL for the first byte, as the service would. */
export async function* checkIndexServer(context: DoctorContext): AsyncGenerator<Verdict> {
  const { choice, path } = servedIndex(context);
  if (choice.kind !== 'url') return;
  const name = publicUrl(choice.url); // without user, password and signature
  let reason: string;
  try {
    const options = { headers: { range: 'bytes=0-0' }, idleMs: 3000, clock: systemClock };
    const { response, close } = await sendGet(choice.url, options);
    close();
    if ([200, 206].includes(response.statusCode ?? 0)) return yield ok(`${name} answers`);
    reason = `the server answered ${formatStatus(response)}`;
  } catch (error) {
    reason = errorMessage(error);
  }
  const advice =
    'Check the URL and the server. For an authority of your own, set NODE_EXTRA_CA_CERTS. A presigned URL expires.';
  const hasCopy = existsSync(path);
  const effect = hasCopy ? 'The copy is served' : 'There is no copy to serve';
  yield judge({ isProblem: !hasCopy, isWarning: true }, `${name}: ${reason}. ${effect}`, advice);
}

export function* checkIpDatabase({ settings: { ipDatabase }, now }: DoctorContext): Generator<Verdict> {
  if (ipDatabase?.[0] === 'none') return yield ok('none, as set: aroundLatLngViaIP locates no address');
  const warnings: string[] = [];
  const databases = checkIpDatabases(ipDatabase, (text) => warnings.push(text));
  for (const text of warnings) {
    yield warning(text, 'Install the optional package (npm install), or name .mmdb files.');
  }
  for (const { database } of databases) {
    const { buildEpoch } = openIpReader(database).metadata;
    const message = `${database.path} of ${formatDateAndAge(buildEpoch, now)}`;
    const advice = 'Download a newer file (DB-IP publishes one each month) and name it with --ip-database.';
    yield judge({ isWarning: isOld(buildEpoch, now) }, message, advice);
  }
}
