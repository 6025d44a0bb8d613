import type { SectionDraft } from '../../contracts/report/draft';
import { citedIds } from '../text/citation-marks';

export function sourcesIn({ markdown }: SectionDraft): number {
  return new Set(citedIds(markdown)).size;
}
