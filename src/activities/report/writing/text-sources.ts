import type { Evidence, ValidatedFindings } from '../../../contracts/report/finding';
import type { Passage, SourceWindow } from '../../../contracts/source/passage';
import type { CataloguedSource } from '../../../contracts/source/source';
import { groupedBy } from '../../../core/values/grouped-by';
import { splitPassages } from '../../../language/passages';
import { terms } from '../../../language/words';
import { readTexts } from '../../shared/read-texts';
import type { ActivityPorts } from '../../shared/ports';
import { describedSource } from '../../shared/texts/described-source';
import type { Catalogue } from '../gather/catalogue';

/** Beside the paragraphs of known quotes, so many paragraphs of a source that share most words with a statement. */
const NEAREST_PARAGRAPHS = 3;

/** Sources with all of their paragraphs; one without text has its summary. */
export async function citedSources(
  { content }: Pick<ActivityPorts, 'content'>,
  catalogue: Catalogue,
  ids: Iterable<string>,
): Promise<SourceWindow[]> {
  const sources = [...(await catalogue.named(ids)).values()];
  const texts = await readTexts(
    content,
    sources.flatMap(({ contentRef, summaryRef }) => [contentRef, summaryRef]),
  );
  return sources.map((source) => windowOf(source, texts));
}

function windowOf(source: CataloguedSource, texts: ReadonlyMap<string, string>): SourceWindow {
  const content = texts.get(source.contentRef) ?? '';
  const summaryOnly = content.trim() === '';
  const { nearDuplicateOf } = source;
  return {
    ...describedSource(source),
    summaryOnly,
    ...(nearDuplicateOf === undefined ? {} : { nearDuplicateOf }),
    passages: splitPassages(summaryOnly ? (texts.get(source.summaryRef) ?? source.title) : content),
  };
}

/**
 * Of each source the paragraphs that hold one of the quotes or are nearest to one of the statements that cite it, in the source's
 * order. A source without any keeps its first paragraph.
 */
export function passagesNear(
  sources: readonly SourceWindow[],
  statements: readonly { plain: string; sourceIds: readonly string[] }[],
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

export function quotesOf({
  sections,
  conflicts,
}: Pick<ValidatedFindings, 'sections' | 'conflicts'>): Evidence[] {
  return [
    ...sections.flatMap(({ findings }) => findings.flatMap(({ evidence }) => evidence)),
    ...conflicts.flatMap(({ viewpoints }) => viewpoints.flatMap(({ evidence }) => evidence)),
  ];
}

/** The works of which several of these sources are parts. */
export async function worksOf(catalogue: Catalogue, sources: readonly SourceWindow[]): Promise<string[][]> {
  const known = await catalogue.named(sources.map(({ sourceId }) => sourceId));
  const parts = groupedBy(
    [...known.values()].flatMap(({ id, work }) => (work === undefined ? [] : [{ id, work: work.id }])),
    ({ work }) => work,
  );
  return [...parts.values()].map((ids) => ids.map(({ id }) => id)).filter((ids) => ids.length > 1);
}
