import type { ReportFrame } from '../../contracts/report/draft';
import type { WrittenText } from './settle-text';

/** The bullets of a summary as one text. */
export function frameText({ bullets, checked }: ReportFrame): WrittenText {
  return { markdown: bullets.join('\n\n'), checked: checked ?? { sentences: [] } };
}

/** The frame with the bullets of that text. */
export function frameOf(frame: ReportFrame, { markdown, checked }: WrittenText): ReportFrame {
  return { ...frame, bullets: markdown.split('\n\n').filter((bullet) => bullet !== ''), checked };
}
