import type { Answer } from '../../contracts/answer/answer';
import type { Terminal } from '../terminal/terminal';
import { ExitCode } from '../exit-code';
import { textLines } from './answer-lines';

/** Prints the text of an answer, unless just that was shown as it was written, and what stands below it. */
export function printAnswer(
  { print, colours }: Terminal,
  answer: Answer,
  { shown, below }: { shown: string; below: readonly string[] },
): void {
  if (shown.trim() !== '') print('');
  if (!isSame(shown, textLines(answer).join('\n'))) {
    if (shown.trim() !== '') print(`\n${colours.bold('As it stands after it was checked:')}\n`);
    textLines(answer).forEach(print);
  }
  below.forEach(print);
}

/** Spaces and ends of lines are of the way in which it came. */
function isSame(one: string, other: string): boolean {
  const words = (text: string): string => text.split(/\s+/).filter(Boolean).join(' ');
  return words(one) === words(other);
}

/** A reply is a success, also one that says what is missing; one in the place of an answer is none. */
export function exitCodeOfAnswer({ outcome }: Answer): ExitCode {
  return outcome === 'fallback' ? ExitCode.failed : ExitCode.ok;
}
