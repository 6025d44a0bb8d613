import { clip } from '../../core/writing/attribution';
import { capitalised } from '../../core/writing/within-sentence';

const MAX_CHARS = 120;

/** A section's heading: the phrase that its sources share, as a heading begins; else the title of its only source; else what it is. */
export function headingOf(
  phrase: string | null,
  {
    sourceIds,
    titles,
    isOnly,
  }: { sourceIds: readonly string[]; titles: ReadonlyMap<string, string>; isOnly: boolean },
): string {
  if (phrase !== null) return clip(capitalised(phrase), MAX_CHARS);
  const [first, ...others] = sourceIds;
  const title = titles.get(first ?? '')?.trim() ?? '';
  if (isOnly && others.length === 0 && title !== '') return clip(title, MAX_CHARS);
  return isOnly ? 'What the sources report' : 'Further results';
}
