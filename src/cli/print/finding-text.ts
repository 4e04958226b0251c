/** The findings of `toponym doctor` as text for a terminal. */
import type { Finding } from '../doctor/check.ts';
import { joinLines, joinText, printable, type StyledText, styled, type Text } from './styled-text.ts';
import { terminalWidth, wrapWords } from './text-width.ts';

const LEVEL_WIDTH = 7;
const GAP = '  ';
const ARROW = '-> ';
/** If a message has less room, it goes below its level and area. */
const MIN_MESSAGE_WIDTH = 40;

export function formatFindings(findings: readonly Finding[], width = terminalWidth()): StyledText {
  const areaWidth = Math.max(...findings.map(({ area }) => area.length));
  const headWidth = LEVEL_WIDTH + GAP.length + areaWidth + GAP.length;
  const isBeside = width - headWidth >= MIN_MESSAGE_WIDTH;
  const lines = findings.flatMap((finding) => {
    const { level, area } = finding;
    const head = [styled(level, level), ' '.repeat(LEVEL_WIDTH - level.length), GAP, styled('title', area)];
    if (!isBeside) return [joinText(head), ...messageLines(finding, width - GAP.length).map(indentBy(GAP))];
    const [first = '', ...others] = messageLines(finding, width - headWidth);
    const padding = ' '.repeat(areaWidth - area.length);
    return [joinText([...head, padding, GAP, first]), ...others.map(indentBy(' '.repeat(headWidth)))];
  });
  return joinLines([...lines, '', summary(findings)]);
}

/** The message, then the advice after an arrow. */
function messageLines(finding: Finding, width: number): Text[] {
  const message = wrapWords(printable(finding.message), width);
  if (finding.level === 'ok') return message;
  const advice = wrapWords(printable(finding.advice), width - ARROW.length);
  return [...message, ...advice.map((line, i) => (i === 0 ? ARROW : ' '.repeat(ARROW.length)) + line)];
}

function indentBy(indent: string): (line: Text) => Text {
  return (line) => joinText([indent, line]);
}

function summary(findings: readonly Finding[]): string {
  const count = (level: Finding['level'], noun: string) => {
    const found = findings.filter((finding) => finding.level === level).length;
    return `${found === 0 ? 'no' : found} ${noun}${found === 1 ? '' : 's'}`;
  };
  return `Found ${count('problem', 'problem')} and ${count('warning', 'warning')}.`;
}
