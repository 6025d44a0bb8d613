import { replaceMarks } from '../../core/text/citation-marks';
import { unescapedMarkdown } from '../../core/text/markdown-addresses';
import { safeLine } from './safe-text';

/**
 * A block of a section's Markdown as plain lines: citation marks as `[Doe 2010; Roe 2011]`, escapes as the signs that
 * they stand for. A heading is told by `isHeading`.
 */
export function plainBlock(
  markdown: string,
  nameOf: (sourceId: string) => string,
): { isHeading: boolean; lines: string[] } {
  const heading = /^#{1,6}\s+/.exec(markdown)?.[0] ?? '';
  const lines = markdown
    .slice(heading.length)
    .split('\n')
    .map((line) => safeLine(unmarked(line, nameOf)))
    .filter((line) => line !== '');
  return { isHeading: heading !== '', lines };
}

const SIGN = /[!-/:-@[-`{-~]/g;

/** Names come as they are, and are escaped first as everything else in the line is. */
function unmarked(line: string, nameOf: (sourceId: string) => string): string {
  const named = replaceMarks(line, (ids) => `[${ids.map(nameOf).join('; ')}]`.replace(SIGN, '\\$&'));
  return unescapedMarkdown(named.replace(/(?<!\\)\*\*/g, ''));
}

/** Breaks a line at words so that it fits; a word that is longer stays whole. */
export function wrapped(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}
