import { answerTexts } from '../../texts/answer';
import type { Answer } from '../../contracts/answer/answer';
import type { Terminal } from '../terminal/terminal';
import { ExitCode } from '../exit-code';
import { textLines } from './answer-lines';

/** Prints what stands below an answer, and of its text what was not shown as it was written. */
export function printAnswer(
  { print, colours }: Terminal,
  answer: Answer,
  { shown, below }: { shown: string; below: readonly string[] },
): void {
  const text = textLines(answer).join('\n');
  const isShown = shown.trim() !== '';
  const rest = isShown ? restBehind(shown, text) : text;
  if (isShown) print('');
  if (rest === null) print(`\n${colours.bold(answerTexts.asChecked)}\n`);
  if (rest !== '') (rest ?? text).split('\n').forEach(print);
  below.forEach(print);
}

/** What stands in a text behind what was shown of it; null where something else was shown. Spaces are of the way in which it came. */
function restBehind(shown: string, text: string): string | null {
  let end = 0;
  const words = text.matchAll(/\S+/g);
  for (const word of shown.split(/\s+/).filter(Boolean)) {
    const { value: next } = words.next();
    if (next?.[0] !== word) return null;
    end = next.index + word.length;
  }
  return text.slice(end).trim();
}

/** A reply is a success, also one that says what is missing, or the caller's final output; a plain message of failure is none. */
export function exitCodeOfAnswer({ outcome, answer }: Answer): ExitCode {
  return outcome === 'fallback' && answer === answerTexts.failed ? ExitCode.failed : ExitCode.ok;
}
