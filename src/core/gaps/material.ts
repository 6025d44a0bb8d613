import type { Finding } from '../contracts/finding';
import { topicStem } from '../planning/topic-stem';
import { STOP_WORDS, words } from '../../language/words';

/** A section with what was found for it; the part of a section's brief that gaps are derived from. */
export interface GapSection {
  section: { id: string; title: string; subsections: readonly string[] };
  findings: readonly Finding[];
}

/** All that a finding says, quotes included. */
export function saidBy(finding: Finding): string {
  return [finding.claim, ...finding.evidence.map((evidence) => evidence.quote)].join('\n');
}

/** The stems of the words that say what a text is about. */
export function topicStems(text: string): Set<string> {
  return new Set(
    words(text)
      .filter((word) => !STOP_WORDS.has(word))
      .map(topicStem),
  );
}

/** The title as it stands within a sentence; names and acronyms keep their capitals. */
export function withinSentence(heading: string): string {
  // The outline's last section may take up what is left of a topic; what is asked is the topic.
  const title = heading.replace(/^Further results on /, '');
  const [first = ''] = title.split(' ');
  const isName = /\p{Lu}|\d/u.test(first.slice(1)) || first.length === 1;
  return isName ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
