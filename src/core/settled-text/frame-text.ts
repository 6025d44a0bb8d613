import type { ReportFrame } from '../../contracts/report/draft';
import type { WrittenText } from './settle-text';

export function frameText({ bullets, checked }: ReportFrame): WrittenText {
  return { markdown: bullets.join('\n\n'), checked: checked ?? { sentences: [] } };
}
