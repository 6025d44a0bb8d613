import { MAX_LIST_CHARS } from '../../core/budget/call-estimates';
import { materialBlock, promptLine } from './material-block';

/** A list that a prompt has, behind its title: what others wrote is material, like passages. Nothing where it is empty. */
export function listed(title: string, mark: string, name: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const items = lines
    .map((line) => `- ${promptLine(line)}`)
    .join('\n')
    .slice(0, MAX_LIST_CHARS);
  return `${title}:\n${materialBlock(mark, name, items)}\n\n`;
}
