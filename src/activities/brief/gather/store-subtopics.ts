import type { GivenSubtopics } from '../../../contracts/brief/subtopic';
import type { ContentStore } from '../../../stores/content-store';
import type { ListedSource, SubtopicToRead } from '../../../subtopics/subtopic-to-read';

/** Stores the summaries and the texts of the sources each by itself, so that the run holds them and no more is read than is needed. */
export async function storeSubtopics(
  content: ContentStore,
  runId: string,
  subtopics: GivenSubtopics,
): Promise<SubtopicToRead[]> {
  const stored: SubtopicToRead[] = [];
  for (const [at, { title, summary, citations, sources = [] }] of subtopics.entries()) {
    const texts = sources.flatMap(({ content: text }) => text ?? []);
    const [summaryRef = '', ...refs] = await content.storeBatch(runId, [summary, ...texts]);
    const remaining = refs.values();
    const listed = sources.map(({ content: text, ...source }): ListedSource =>
      text === undefined
        ? { ...source, contentRef: null, contentChars: 0 }
        : { ...source, contentRef: remaining.next().value ?? null, contentChars: text.length },
    );
    stored.push({ id: `subtopic-${at + 1}`, title, summary, summaryRef, citations, sources: listed });
  }
  return stored;
}
