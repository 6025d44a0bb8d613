import type { GivenSubtopic } from '../../../src/contracts/start';
import { gatherSubtopics } from '../../../src/report/brief/gather-subtopics';
import type { GatheredMaterial } from '../../../src/report/brief/read-subtopic';
import { hashOf } from '../../../src/sources/record';

export const AS_OF = '2026-01-31T12:00:00Z';

/** The material of subtopics that were given so; texts are told by their hash, as in a store. */
export function gathered(
  given: readonly Partial<GivenSubtopic>[],
  question = 'What does exercise do?',
): GatheredMaterial {
  const subtopics = given.map(({ title = 'Exercise', summary = '', citations, sources }, at) => ({
    id: `subtopic-${at + 1}`,
    title,
    summary,
    summaryRef: hashOf(summary),
    citations,
    sources: sources?.map(({ content, ...source }) => ({
      ...source,
      contentRef: content === undefined ? null : hashOf(content),
      contentChars: content?.length ?? 0,
    })),
  }));
  return gatherSubtopics({ question, subtopics, asOf: AS_OF });
}

/** Each statement, and in brackets the numbers that it cites. */
export function statementsOf({ subtopics, sources }: GatheredMaterial): string[] {
  const numberOf = new Map(sources.map(({ id, n }) => [id, n]));
  return subtopics.flatMap(({ findings }) =>
    findings.map(
      ({ claim, citations }) => `${claim} [${citations.map((id) => numberOf.get(id)).join(', ')}]`,
    ),
  );
}

export const statedIn = (summary: string, citations: string[]): string[] =>
  statementsOf(gathered([{ summary, citations }]));

export const urlsOf = ({ sources }: GatheredMaterial): (string | null)[] => sources.map(({ url }) => url);
