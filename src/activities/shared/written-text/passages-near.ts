import type { Evidence } from '../../../contracts/report/finding';
import type { Passage, SourceWindow } from '../../../contracts/source/passage';
import { terms } from '../../../language/words';

/** Beside the paragraphs of known quotes, so many paragraphs of a source that share most words with a statement. */
const NEAREST_PARAGRAPHS = 5;

/** A text, and the sources that it cites. */
export interface CitedWords {
  plain: string;
  sourceIds: readonly string[];
}

/**
 * Of each source the paragraphs that hold one of the quotes or are nearest to one of the statements that cite it, in the source's
 * order. A source without any keeps its first paragraph.
 */
export function passagesNear(
  sources: readonly SourceWindow[],
  statements: readonly CitedWords[],
  quotes: readonly Evidence[],
): SourceWindow[] {
  return sources.map((source) => {
    const chosen = new Set<Passage>();
    for (const quote of quotes) {
      if (quote.sourceId !== source.sourceId) continue;
      for (const passage of source.passages)
        if (passage.start < quote.end && quote.start < passage.end) chosen.add(passage);
    }
    const words = source.passages.map(({ text }) => new Set(terms(text)));
    for (const { plain, sourceIds } of statements) {
      if (!sourceIds.includes(source.sourceId)) continue;
      const own = new Set(terms(plain));
      const shared = source.passages.map((passage, at) => ({
        passage,
        count: [...own].filter((word) => words[at]?.has(word) === true).length,
      }));
      for (const { passage, count } of shared.sort((a, b) => b.count - a.count).slice(0, NEAREST_PARAGRAPHS))
        if (count > 0) chosen.add(passage);
    }
    const passages = source.passages.filter((passage) => chosen.has(passage));
    return { ...source, passages: passages.length > 0 ? passages : source.passages.slice(0, 1) };
  });
}
