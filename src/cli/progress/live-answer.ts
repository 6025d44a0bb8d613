import type { RunEvent } from '../../contracts/run/event';
import { sectionTextsAfter, type SectionTexts } from '../../core/report/streamed-texts';
import { replaceMarks } from '../../core/text/citation-marks';
import { plainText } from '../terminal/plain-text';
import { createPassageNumbers } from './source-names';

/** An answer as it is written, for a terminal: what is given to it is all of its events, in order. */
export interface LiveAnswer {
  /** What is to be shown behind what was shown before. */
  add(event: RunEvent): string;
  /** What was shown since the answer was begun last. */
  shown(): string;
}

const ANEW = '\n\n(It is written once more.)\n\n';

export function createLiveAnswer(): LiveAnswer {
  let texts: SectionTexts = new Map();
  let shown = '';
  return {
    add(event) {
      const before = texts;
      texts = sectionTextsAfter(texts, event);
      if (texts === before) return '';
      const whole = [...texts.values()].map(({ text, isWritten }) => readable(text, isWritten)).join('\n\n');
      if (whole.startsWith(shown)) {
        const fresh = whole.slice(shown.length);
        shown = whole;
        return fresh;
      }
      const parted = shown.trim() === '' ? '' : ANEW;
      shown = whole;
      return parted + whole;
    },
    shown: () => shown,
  };
}

/** What may become something else with what comes next: a mark, an escape, a piece of code or emphasis. */
const UNFINISHED = /(?:\[[^\]\n]*|[\\*]+|`[^\n]*)$/;

/** Marks as numbers in the order of their passages' first appearance; what is not all there waits for its end. */
function readable(markdown: string, isWhole: boolean): string {
  const numbers = createPassageNumbers();
  const text = isWhole ? markdown : markdown.replace(UNFINISHED, '');
  return plainText(replaceMarks(text, (ids) => `[${ids.map((id) => numbers.nameOf(id)).join(', ')}]`));
}
