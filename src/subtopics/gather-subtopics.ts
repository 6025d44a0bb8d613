import type { BriefSubtopic } from '../contracts/brief/brief-material';
import type { Finding } from '../contracts/report/finding';
import { stripUnsafe } from '../core/text/untrusted-text';
import { groupedBy } from '../core/values/grouped-by';
import type { GatheredMaterial } from './gathered-material';
import { heldAgainstEachOther } from './held-against-each-other';
import { mergeRepeats } from './merge-repeats';
import { readSubtopic } from './read-subtopic';
import { sourceIndex } from './source-index';
import type { Stated } from './stated';
import { statementConfidence } from './statement-confidence';
import type { SubtopicToRead } from './subtopic-to-read';

export interface SubtopicsToGather {
  question: string;
  subtopics: readonly SubtopicToRead[];
  /** `accessedAt` of sources whose record has none. */
  asOf: string;
}

/** What a brief is written from: one index of all sources, each sentence of the summaries once, and where they disagree. */
export function gatherSubtopics({ question, subtopics, asOf }: SubtopicsToGather): GatheredMaterial {
  const read = subtopics.map(readSubtopic);
  const { sources, idOf } = sourceIndex(
    [...read.flatMap(({ named }) => named), ...read.flatMap(({ listed }) => listed)],
    asOf,
  );
  const byId = new Map(sources.map((source) => [source.id, source]));
  const stated = mergeRepeats(
    read.flatMap(({ statements }) =>
      statements.map(({ plain, place, keys, markedBy }): Stated => ({
        plain,
        places: [place],
        markedBy,
        citations: keys.flatMap((key) => idOf.get(key) ?? []),
      })),
    ),
  );
  const ofSubtopics = groupedBy(stated, ({ places: [own] }) => own?.subtopicId ?? '');
  const numbered = [...ofSubtopics].flatMap(([sectionId, own]) =>
    own.map((statement, at) => ({ id: `${sectionId}-finding-${at + 1}`, sectionId, statement })),
  );
  const alone = numbered.map(({ id, sectionId, statement }): Omit<Finding, 'evidence'> => ({
    id,
    sectionId,
    claim: statement.plain,
    citations: statement.citations,
    confidence: statementConfidence(statement, byId),
  }));
  const { findings, held, conflicts } = heldAgainstEachOther(question, alone, sources);
  return {
    subtopics: subtopics.map(({ id, title, summaryRef }, at): BriefSubtopic => ({
      id,
      title: stripUnsafe(title).trim(),
      summaryRef,
      words: wordsOf(read[at]?.statements ?? []),
      findings: findings.filter(({ sectionId }) => sectionId === id),
    })),
    conflicts,
    sources,
    held,
    places: Object.fromEntries(numbered.map(({ id, statement }) => [id, statement.places])),
    checks: {},
    setAside: [],
    warnings: read.flatMap(({ warnings }) => warnings),
    ownConfidence: Object.fromEntries(alone.map(({ id, confidence }) => [id, confidence])),
    unmarked: numbered.flatMap(({ id, statement }) => (statement.markedBy === 'itself' ? [] : [id])),
  };
}

/** Words between white space, as the length of a brief is counted. */
function wordsOf(statements: readonly { plain: string }[]): number {
  return statements.reduce((sum, { plain }) => sum + plain.split(/\s+/).length, 0);
}
