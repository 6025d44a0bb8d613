import { confidenceWord } from '../../../core/confidence';
import type { Finding } from '../../../core/contracts/finding';
import { terms } from '../../../core/text/words';
import type { ShortIds } from '../../../steps/short-ids';
import { findingIds } from '../../../steps/prompts/cross-check';
import { citableIds } from '../../../steps/prompts/write-section';
import type { WriteSectionInput } from '../../../steps/write-section';
import { createGrounding, type Grounding } from '../grounding';
import { comparableText } from '../quotes/comparable-text';

/** What a writer was given, as its text is held against it. */
export interface SectionMaterial {
  grounding: Grounding;
  /** The source behind a short id, where it may be cited. */
  sourceOf(shortId: string): string | undefined;
  /** The sources of the finding behind a short id, for a model that cites findings. */
  sourcesOfFinding(shortId: string): readonly string[];
  /**
   * The findings that a sentence tells of: of those that rest on a source that it cites, the ones whose words it has. Empty
   * where it has none's.
   */
  findingsBehind(sentence: string, sourceIds: readonly string[]): string[];
  /** Whether a text stands in one of the quotes, word for word. */
  isQuoted(text: string): boolean;
  /** The confidence word of the least certain of the findings. */
  confidenceOf(findings: readonly string[]): string;
}

/** Of a sentence's content words so many stand in a finding that it tells of. */
const LEAST_SHARED = 0.2;
/** A sentence tells of several findings where each has nearly as many of its words as the best. */
const NEARLY_BEST = 0.6;

export function createSectionMaterial(
  input: Pick<WriteSectionInput, 'question' | 'findings' | 'conflicts' | 'sources'>,
  about: readonly string[],
): SectionMaterial {
  const sources = citableIds(input);
  const citable = new Set(input.sources.map(({ sourceId }) => sourceId));
  const ids: ShortIds = findingIds(input.findings);
  const byId = new Map(input.findings.map((finding) => [finding.id, finding]));
  const wordsOf = new Map(input.findings.map((finding) => [finding.id, new Set(terms(textOf(finding)))]));
  const conflictWords = new Map(
    input.conflicts.map((conflict) => [
      conflict.id,
      new Set(
        terms(
          [
            conflict.topic,
            ...conflict.viewpoints.flatMap(({ evidence }) => evidence.map(({ quote }) => quote)),
          ].join('\n'),
        ),
      ),
    ]),
  );
  const grounding = createGrounding([
    input.question,
    ...about,
    ...input.findings.map(textOf),
    ...input.conflicts.flatMap((conflict) => [
      conflict.topic,
      conflict.reason,
      ...conflict.viewpoints.flatMap(({ evidence }) => evidence.map(({ quote }) => quote)),
    ]),
    ...input.sources.map(({ title, author, site, publishedAt }) =>
      [title, author, site, publishedAt].join(' '),
    ),
  ]);
  const quotes = [
    ...input.findings.flatMap(({ evidence }) => evidence),
    ...input.conflicts.flatMap(({ viewpoints }) => viewpoints.flatMap(({ evidence }) => evidence)),
  ].map(({ quote }) => comparableText(quote).text);
  const titles = input.sources.map(({ title }) => comparableText(title).text);

  return {
    grounding,
    sourceOf(shortId) {
      const id = sources.idOf(shortId);
      return id !== undefined && citable.has(id) ? id : undefined;
    },
    sourcesOfFinding: (shortId) =>
      (byId.get(ids.idOf(shortId) ?? '')?.citations ?? []).filter((id) => citable.has(id)),
    findingsBehind(sentence, sourceIds) {
      const own = [...new Set(terms(sentence))];
      const share = (words: ReadonlySet<string> | undefined): number =>
        own.length === 0 || words === undefined
          ? 0
          : own.filter((term) => words.has(term)).length / own.length;
      const cited = new Set(sourceIds);
      const weighed = [
        ...input.findings
          .filter((finding) => finding.citations.some((id) => cited.has(id)))
          .map((finding) => ({ findingIds: [finding.id], score: share(wordsOf.get(finding.id)) })),
        // A source that only contradicts a finding is cited for the conflict that it stands in.
        ...input.conflicts
          .filter(({ viewpoints }) =>
            viewpoints.some(({ citations }) => citations.some((id) => cited.has(id))),
          )
          .map((conflict) => ({
            findingIds: conflict.findingIds.filter((id) => byId.has(id)),
            score: share(conflictWords.get(conflict.id)) * NEARLY_BEST,
          })),
      ];
      const best = Math.max(0, ...weighed.map(({ score }) => score));
      if (best < LEAST_SHARED * NEARLY_BEST) return [];
      return [
        ...new Set(
          weighed
            .filter(({ score }) => score >= best * NEARLY_BEST && score >= LEAST_SHARED * NEARLY_BEST)
            .flatMap(({ findingIds: found }) => found),
        ),
      ];
    },
    isQuoted(text) {
      const wanted = comparableText(text).text.replace(/^["'\s]+|["'\s.,;:!?]+$/g, '');
      return [...quotes, ...titles].some((quote) => quote.includes(wanted));
    },
    confidenceOf(findings) {
      const confidences = findings.flatMap((id) => byId.get(id)?.confidence ?? []);
      return confidenceWord(Math.min(1, ...confidences));
    },
  };
}

function textOf(finding: Finding): string {
  return [
    finding.claim,
    ...finding.evidence.map(({ quote }) => quote),
    ...finding.contexts.flatMap(({ participants, place, design, duration }) => [
      participants,
      place,
      design,
      duration,
    ]),
  ]
    .filter((part) => part !== undefined)
    .join('\n');
}
