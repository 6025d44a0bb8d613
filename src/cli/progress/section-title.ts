import { translated } from '../../texts/stored';
import type { Texts } from '../../texts/texts';
import { SUMMARY } from '../../core/report/summary-part';
import { ANSWER_TEXT } from '../../core/settled-text/answer-text';
import { safeExcerpt, safeLine } from '../terminal/safe-text';

/** `2. Its title`, as it stands in the outline; an answer has one text, and no outline. */
export function numberedTitle(
  outline: readonly { id: string; title: string }[],
  section: string,
  { language, answer, report }: Texts,
): string {
  const index = outline.findIndex(({ id }) => id === section);
  const title = outline[index]?.title;
  if (title !== undefined) return `${index + 1}. ${safeExcerpt(translated(title, language), 100)}`;
  // Texts of runs whose outline does not have them.
  if (section === ANSWER_TEXT) return answer.title;
  return section === SUMMARY ? report.headings.summary : safeLine(section);
}
