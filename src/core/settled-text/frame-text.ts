import type { ReportFrame } from '../../contracts/report/draft';
import type { WrittenText } from './settle-text';

export function frameText({ bullets, checked }: ReportFrame): WrittenText {
  return { markdown: bullets.join('\n\n'), checked: checked ?? { sentences: [] } };
}

export function frameOf(frame: ReportFrame, { markdown, checked }: WrittenText): ReportFrame {
  return { ...frame, bullets: markdown.split('\n\n').filter((bullet) => bullet !== ''), checked };
}
