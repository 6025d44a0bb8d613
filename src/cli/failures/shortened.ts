import { groupedDigits } from '../../core/values/grouped-digits';

/** A path may be so long; what is longer was no path. */
const WORD_CHARS = 1_000;
const SHOWN_CHARS = 100;
const LINE_CHARS = 4_000;

/** What is said of a failure, without what somebody gave by the megabyte: its beginning and its length tell which is meant. */
export function shortened(text: string): string {
  return text
    .replace(/\S+/g, (word) =>
      word.length <= WORD_CHARS
        ? word
        : `${word.slice(0, SHOWN_CHARS)}… (${groupedDigits(word.length)} characters)`,
    )
    .replace(/.+/g, (line) =>
      line.length <= LINE_CHARS ? line : `${line.slice(0, LINE_CHARS / 2)} … ${line.slice(-LINE_CHARS / 4)}`,
    );
}
