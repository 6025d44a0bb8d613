import { answerTexts } from '../../texts/answer';
import { reportTexts } from '../../texts/report';
import { SUMMARY } from '../../core/report/summary-part';
import { ANSWER_TEXT } from '../../core/settled-text/answer-text';
import { safeExcerpt, safeLine } from '../terminal/safe-text';

/** `2. Its title`, as it stands in the outline; an answer has one text, and no outline. */
export function numberedTitle(outline: readonly { id: string; title: string }[], section: string): string {
  const index = outline.findIndex(({ id }) => id === section);
  const title = outline[index]?.title;
  if (title !== undefined) return `${index + 1}. ${safeExcerpt(title, 100)}`;
  // Texts of runs whose outline does not have them.
  if (section === ANSWER_TEXT) return answerTexts.title;
  return section === SUMMARY ? reportTexts.headings.summary : safeLine(section);
}
