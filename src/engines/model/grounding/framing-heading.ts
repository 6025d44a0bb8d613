import { splitSentences } from '../../../language/sentences';
import { terms } from '../../../language/words';

/** What introduces a sentence says nothing of what it introduces: “In conclusion, …”, “Background: …”. */
const OPENING = /^(?:\S+\s+){0,2}\S{1,40}[,:]\s/;
/** A line of so few words is a label. */
const LABEL_WORDS = 2;

/**
 * Whether a heading only frames a text, as an introduction does: of what it says beyond the question, nothing is said by
 * the sources. `texts` are the titles and summaries of the section's sources.
 */
export function isFraming(heading: string, question: string, texts: readonly string[]): boolean {
  const asked = new Set(terms(question));
  const beyond = terms(heading).filter((term) => !asked.has(term));
  if (beyond.length === 0) return false;
  const said = new Set(
    texts.flatMap((text) =>
      splitSentences(text)
        .filter((sentence) => sentence.text.split(/\s+/).length > LABEL_WORDS)
        .flatMap((sentence) => terms(sentence.text.replace(OPENING, ''))),
    ),
  );
  return !beyond.some((term) => said.has(term));
}
