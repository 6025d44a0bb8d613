import type { SectionDraft } from '../../contracts/report/draft';
import { unborneIn } from './count-sentences';

/** The later of two settled texts where it has fewer sentences that nothing bears; a text that only quotes is no better. */
export function betterSettled(earlier: SectionDraft | null, later: SectionDraft): SectionDraft {
  if (earlier === null) return later;
  const [before, after] = [unborneIn(earlier.checked), unborneIn(later.checked)];
  return after !== null && (before === null || after < before) ? later : earlier;
}
