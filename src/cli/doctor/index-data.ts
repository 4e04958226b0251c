/** The index that would be served, the age of its data, and the overlay. */

import { existsSync, statSync } from 'node:fs';
import { commandName } from '../../command-name.ts';
import { readCachedIndex } from '../../datasets/embedded-index.ts';
import {
  chooseIndex,
  EMBEDDED,
  type IndexChoice,
  updatedIndexPath,
  updatedIndexRemedy,
} from '../../datasets/index-choice.ts';
import { indexPaths } from '../../datasets/load-index.ts';
import { errorMessage } from '../../errors/error-message.ts';
import { dataDate, formatDateAndAge, MAX_DATA_AGE_DAYS } from '../../http/data-age.ts';
import { readIndexFile } from '../../index-file/file.ts';
import { checkPlaceCount } from '../../serve/reload/shrunken-data.ts';
import { copyPath } from '../../serve/remote/index-download.ts';
import { updateCommand } from '../print/data-text.ts';
import { formatCount } from '../print/facts.ts';
import { daysBetween } from './age.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';

const FRESH_URL = 'Publish a newer index at that URL, for example every night with "toponym update".';

/** The index that the settings select. */
interface IndexPlace {
  readonly path: string;
  /** How to get newer data. */
  readonly fresh: string;
  /** The verdict if there is no file. */
  readonly missing: Verdict;
  readonly read: (path: string) => SharedArrayBuffer;
  /** The verdict if the file cannot be used. */
  readonly damaged: (reason: string) => Verdict;
}

export async function checkIndex(context: DoctorContext): Promise<Verdict[]> {
  const place = indexPlace(context);
  if (!existsSync(place.path)) return [place.missing];
  let index: SharedArrayBuffer;
  try {
    index = place.read(place.path);
  } catch (error) {
    return [place.damaged(errorMessage(error))];
  }
  return [...examineData(index, place, context), ...(await checkOverlay(index, context.settings.overlay))];
}

/** Path of the index, which may not exist. */
export function servedIndexPath(context: DoctorContext): string {
  return indexPlace(context).path;
}

/** Whether the first start builds an index. */
export function isIndexMissing(context: DoctorContext): boolean {
  return choiceOf(context).kind === 'embedded' && !existsSync(servedIndexPath(context));
}

function choiceOf({ settings, state }: DoctorContext): IndexChoice {
  return chooseIndex(settings.index, state.indexFolder);
}

function indexPlace(context: DoctorContext): IndexPlace {
  const choice = choiceOf(context);
  if (choice.kind === 'embedded') return embeddedIndex(choice, context);
  if (choice.kind === 'url') return copiedIndex(choice.url, context);
  const { path } = choice;
  const updated = updatedIndexPath(context.state.indexFolder);
  const isUpdated = choice.kind === 'updated';
  const freshFile =
    path !== updated && existsSync(updated)
      ? `Leave out --index to serve ${updated}, which an update built.`
      : `Build the index again from newer data. Or leave out --index: then "${commandName()} update" is enough.`;
  return {
    path,
    fresh: isUpdated ? freshDefault(context) : freshFile,
    missing: problem(
      `${path} does not exist`,
      `Name an existing file with --index, or build one with "${commandName()} build".`,
    ),
    read: readIndexFile,
    damaged: (reason) => problem(reason, isUpdated ? `${updatedIndexRemedy()}.` : 'Build or copy the index again.'),
  };
}

function freshDefault({ settings }: DoctorContext): string {
  return `Run "${updateCommand(settings)}": a running service serves the newest data of GeoNames within seconds.`;
}

function copiedIndex(url: URL, { state }: DoctorContext): IndexPlace {
  return {
    path: copyPath(url, state.indexFolder),
    fresh: FRESH_URL,
    missing: ok('no copy yet: the first start downloads it'),
    read: readIndexFile,
    damaged: (reason) => warning(reason, 'Start the service: it downloads the index again.'),
  };
}

function embeddedIndex(choice: IndexChoice, context: DoctorContext): IndexPlace {
  const paths = indexPaths(choice, context.state.indexFolder);
  const isForced = context.settings.index !== undefined;
  return {
    path: paths.find(existsSync) ?? paths[0] ?? '',
    fresh: isForced ? `Leave out --index ${EMBEDDED}, and run "${commandName()} update".` : freshDefault(context),
    missing: ok('none yet: the first start builds the index of the embedded data'),
    read: (path) => {
      const index = readCachedIndex(path);
      if (index === undefined) throw new Error(`${path} is damaged`);
      return index;
    },
    damaged: (reason) => warning(reason, 'Start the service: it builds this index again.'),
  };
}

function examineData(
  index: SharedArrayBuffer,
  { path, fresh }: IndexPlace,
  { settings, now }: DoctorContext,
): Verdict[] {
  const { allowShrunkenData } = settings;
  let facts: ReturnType<typeof checkPlaceCount>;
  try {
    facts = checkPlaceCount(index, { indexPath: path, allowShrunkenData, served: undefined });
  } catch (error) {
    return [problem(errorMessage(error), 'Build the index again.')];
  }
  const written = statSync(path).mtime;
  const date = dataDate(facts.version) ?? written;
  const days = Math.max(0, daysBetween(date, now));
  const message = `${path}: ${facts.version}, ${formatCount(facts.places)} places, verified`;
  const age = `the data are of ${formatDateAndAge(date, now)}`;
  return [ok(message), days > MAX_DATA_AGE_DAYS ? warning(age, fresh) : ok(age)];
}

async function checkOverlay(index: SharedArrayBuffer, overlay: string | undefined): Promise<Verdict[]> {
  if (overlay === undefined) return [];
  // imported only if needed, because it loads the code that builds indexes
  const { overlaySource } = await import('../../datasets/overlay-index.ts');
  const { path, build } = overlaySource(overlay);
  try {
    await build(index);
    return [ok(`overlay ${path} fits the index`)];
  } catch (error) {
    return [problem(`overlay: ${errorMessage(error)}`, 'Correct the file; docs/data.md has its format.')];
  }
}
