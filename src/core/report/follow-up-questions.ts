import type { Conflict, Gap } from '../../contracts/report/finding';
import { withinSentence } from '../writing/within-sentence';

const MOST = 5;
/** What the collection lacks is to have room beside what it disagrees on. */
const MOST_CONFLICTS = 3;

/** What to ask next, at most five: what lies behind the disagreements, and where what the collection lacks may be found. */
export function followUpQuestions({
  conflicts,
  gaps,
}: {
  conflicts: readonly Pick<Conflict, 'kind' | 'topic'>[];
  gaps: readonly Pick<Gap, 'question' | 'evidence'>[];
}): string[] {
  // What a source states is no question.
  const asked = gaps.filter(({ evidence }) => evidence === undefined);
  const questions = [...conflicts.slice(0, MOST_CONFLICTS).map(aboutConflict), ...asked.map(aboutGap)];
  return [...new Set(questions)].slice(0, MOST);
}

function aboutConflict({ kind, topic }: Pick<Conflict, 'kind' | 'topic'>): string {
  const subject = withinSentence(topic);
  switch (kind) {
    case 'condition':
      return `Under which conditions does what sources report on ${subject} hold?`;
    case 'number':
      return `Which of the figures given for ${subject} holds, and for what?`;
    case 'direction':
      return `What explains that sources disagree on ${subject}?`;
  }
}

function aboutGap({ question }: Pick<Gap, 'question'>): string {
  return `Which sources outside this collection answer “${question.replace(/[\s?]+$/, '')}”?`;
}
