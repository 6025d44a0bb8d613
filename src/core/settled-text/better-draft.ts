import type { SectionDraft } from '../../contracts/report/draft';
import { citedIds } from '../text/citation-marks';

/**
 * The later of two settled texts where fewer of its claims were set aside, or as few and it cites more sources; else the
 * earlier. A text that only quotes is no better than one that a model wrote. Of one that was asked for, for what no audit
 * counts, it is enough that no more of it was set aside.
 */
export function betterDraft(
  earlier: SectionDraft,
  later: SectionDraft,
  { isAskedFor = false }: { isAskedFor?: boolean | undefined } = {},
): SectionDraft {
  if (later.checked === undefined && earlier.checked !== undefined) return earlier;
  if (later.checked !== undefined && earlier.checked === undefined) return later;
  const fewer = setAsideIn(earlier) - setAsideIn(later);
  return fewer > 0 || (fewer === 0 && (isAskedFor || sourcesIn(later) > sourcesIn(earlier)))
    ? later
    : earlier;
}

export function setAsideIn({ checked }: SectionDraft): number {
  return checked?.setAside?.length ?? 0;
}

export function sourcesIn({ markdown }: SectionDraft): number {
  return new Set(citedIds(markdown)).size;
}
