/** The data that a command uses, and how to get newer data if it is old. */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatData, isOldData } from 'toponym-engine/index-file/data-age';
import { commandName } from 'toponym-files/program';
import { replaceFile } from 'toponym-files/replace-file';
import { ensureWritableFolder, userCacheFolder } from 'toponym-gazetteer/datasets/load-index';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { formatCount, shellQuote } from './facts.ts';
import { print } from './output.ts';
import { joinLines, styled } from './styled-text.ts';
import { terminalWidth, wrapWords } from './text-width.ts';

interface Data {
  readonly version: string;
  readonly places: number;
}

const NOTED_FILE = 'old-data-noted';
const NOTE_INTERVAL_MS = 7 * 86_400_000;

type DataSettings = Pick<Settings, 'index' | 'state'>;

/** `GeoNames cities500 of 2 May 2026 (6 months old), 231,000 places; newer: npx toponym update` */
export function describeData({ version, places }: Data, settings: DataSettings, now: Date): string {
  const data = `${formatData(version, now)}, ${formatCount(places)} ${places === 1 ? 'place' : 'places'}`;
  // an update changes only what commands without --index use
  const hasHint = settings.index === undefined && isOldData(version, now);
  return hasHint ? `${data}; newer: ${updateCommand(settings)}` : data;
}

/** The command that updates the index of the state folder. */
export function updateCommand({ state }: DataSettings): string {
  const flag = state === SETTINGS.state.defaultText ? '' : ` --state ${shellQuote(state)}`;
  return `${commandName()} update${flag}`;
}

/** Prints a faint line after the result if the data is old, on terminals only and once a week. */
export function noteOldData(data: Data, settings: DataSettings): void {
  const now = new Date();
  if (!process.stdout.isTTY || !isOldData(data.version, now) || !isNoteDue(data.version, now)) return;
  const lines = wrapWords(`Data: ${describeData(data, settings, now)}`, terminalWidth());
  print(joinLines(lines.map((line) => styled('faint', line))));
}

/** Remembers in the user's cache which data was noted last. Without a cache, nothing is ever due. */
function isNoteDue(version: string, now: Date): boolean {
  const folder = userCacheFolder();
  if (folder === undefined || !ensureWritableFolder(folder)) return false;
  const path = join(folder, NOTED_FILE);
  try {
    const notedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now.getTime() - notedMs < NOTE_INTERVAL_MS && readFileSync(path, 'utf8') === version) return false;
    replaceFile(path, [Buffer.from(version)]);
    return true;
  } catch {
    return false; // for example on a full disk
  }
}
