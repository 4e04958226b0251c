/** `toponym doctor`: examines the settings, the files and the machine of a service. */
import type { Command } from 'commander';
import { examineSettings, type Finding } from '../doctor/examine.ts';
import { addExamples } from '../help.ts';
import { plural } from '../print/facts.ts';
import { printResult } from '../print/output.ts';
import { joinLines, joinText, printable, type StyledText, styled } from '../print/styled-text.ts';
import { terminalWidth, wrapWords } from '../print/text-width.ts';
import { addSettings, readSettings } from '../settings/read-settings.ts';
import { SERVE_SETTINGS } from '../settings/settings.ts';

export function addDoctorCommand(command: Command): void {
  addSettings(command, SERVE_SETTINGS)
    .option('--json', 'print a JSON list of {"area","level","message","advice"}')
    .action(async (flags: { json?: boolean }) => {
      const findings = await examineSettings(() => readSettings(flags));
      printResult(flags.json, findings, () => formatFindings(findings));
      if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1;
      // a server that hangs must not keep this process alive
      process.stdout.write('', () => process.exit());
    });
  addExamples(
    command,
    ['toponym doctor', 'toponym doctor --index world.toponym --port 443 --host 0.0.0.0', 'toponym doctor --json'],
    'Give it the settings of "toponym serve". It changes nothing. It exits with 1 if there is a problem.',
  );
}

const LEVEL_WIDTH = 'problem'.length;
const GAP = '  ';
const ARROW = '-> ';
/** If a message has less room, it goes below its level and area. */
const MIN_MESSAGE_WIDTH = 40;

export function formatFindings(findings: readonly Finding[], width = terminalWidth()): StyledText {
  const areaWidth = Math.max(...findings.map(({ area }) => area.length));
  const headWidth = LEVEL_WIDTH + GAP.length + areaWidth + GAP.length;
  const isBeside = width - headWidth >= MIN_MESSAGE_WIDTH;
  const indent = isBeside ? ' '.repeat(headWidth) : GAP;
  const lines = findings.flatMap((finding) => {
    const { level, area } = finding;
    const head = [styled(level, level), ' '.repeat(LEVEL_WIDTH - level.length), GAP, styled('title', area)];
    const [first = '', ...others] = messageLines(finding, width - indent.length);
    const start = isBeside ? [' '.repeat(areaWidth - area.length), GAP, first] : ['\n', indent, first];
    return [joinText([...head, ...start]), ...others.map((line) => indent + line)];
  });
  const count = (level: string) => plural(findings.filter((each) => each.level === level).length, level);
  const summary = `Found ${count('problem')} and ${count('warning')}.`.replaceAll(/\b0 /g, 'no ');
  return joinLines([...lines, '', summary]);
}

/** The message, then the advice after an arrow. */
function messageLines({ message, advice }: Finding, width: number): string[] {
  const lines = wrapWords(printable(message), width);
  if (advice === undefined) return lines;
  const adviceLines = wrapWords(printable(advice), width - ARROW.length);
  return [...lines, ...adviceLines.map((line, i) => (i === 0 ? ARROW : ' '.repeat(ARROW.length)) + line)];
}
