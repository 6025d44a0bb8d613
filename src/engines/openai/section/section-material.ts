import { confidenceRemark } from '../../../core/confidence';
import type { Finding } from '../../../core/contracts/finding';
import { terms } from '../../../language/words';
import { findingShortIds } from '../../../steps/short-ids';
import { citableIds } from '../../../steps/prompts/write-section';
import type { WriteSectionInput } from '../../../steps/write-section';
import { type Echoes, NO_ECHOES } from '../echoes';
import { createGrounding, type Grounding } from '../grounding';
import { comparableText, withoutEndMarks } from '../quotes/comparable-text';

/** What a writer was given, as its text is held against it. */
export interface SectionMaterial {
  grounding: Grounding;
  echoes: Echoes;
  /** The sources behind a short id that may be cited: the source itself, or those of a finding, where a model cites one. */
  sourcesOf(shortId: string): readonly string[];
  /**
   * What a sentence tells of: the findings that have its words, of those that rest on a source that it cites, and which of
   * these sources have such a finding.
   */
  backing(sentence: string, sourceIds: readonly string[]): { findingIds: string[]; sourceIds: string[] };
  /** Whether a text stands in one of the quotes, word for word. */
  isQuoted(text: string): boolean;
  /** How far a sentence on the findings can be relied on: `Medium confidence`. */
  confidenceOf(findings: readonly string[]): string;
}

/** Of a sentence's content words so many stand in a finding that it tells of; it may tell of several. */
const LEAST_SHARED = 0.12;
/** A sentence tells of several findings where each has nearly as many of its words as the best. */
const NEARLY_BEST = 0.6;

interface Weighed {
  findingIds: string[];
  citations: readonly string[];
  /** How much of the sentence's words it has. */
  score: number;
}

export function createSectionMaterial(
  input: Pick<WriteSectionInput, 'question' | 'findings' | 'conflicts' | 'sources'>,
  about: readonly string[],
  echoes: Echoes = NO_ECHOES,
): SectionMaterial {
  const sources = citableIds(input);
  const citable = new Set(input.sources.map(({ sourceId }) => sourceId));
  const ids = findingShortIds(input.findings);
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
      [title, author, site, publishedAt].join('\n'),
    ),
  ]);
  const quotes = [
    ...input.findings.flatMap(({ evidence }) => evidence),
    ...input.conflicts.flatMap(({ viewpoints }) => viewpoints.flatMap(({ evidence }) => evidence)),
  ].map(({ quote }) => comparableText(quote).text);
  const titles = input.sources.map(({ title }) => comparableText(title).text);

  return {
    grounding,
    echoes,
    sourcesOf(shortId) {
      const source = sources.idOf(shortId);
      const named = source === undefined ? byId.get(ids.idOf(shortId) ?? '')?.citations : [source];
      return (named ?? []).filter((id) => citable.has(id));
    },
    backing(sentence, sourceIds) {
      const own = [...new Set(terms(sentence))];
      const share = (words: ReadonlySet<string> | undefined): number =>
        own.length === 0 || words === undefined
          ? 0
          : own.filter((term) => words.has(term)).length / own.length;
      const cited = new Set(sourceIds);
      const weighed: Weighed[] = [
        ...input.findings.map((finding) => ({
          findingIds: [finding.id],
          citations: finding.citations,
          score: share(wordsOf.get(finding.id)),
        })),
        // A source that only contradicts a finding is cited for the conflict that it stands in.
        ...input.conflicts.map((conflict) => ({
          findingIds: conflict.findingIds.filter((id) => byId.has(id)),
          citations: conflict.viewpoints.flatMap(({ citations }) => citations),
          score: share(conflictWords.get(conflict.id)) * NEARLY_BEST,
        })),
      ].filter(
        ({ citations, score }) => score >= LEAST_SHARED && citations.some((source) => cited.has(source)),
      );
      const best = Math.max(0, ...weighed.map(({ score }) => score));
      const chosen = weighed.filter(({ score }) => score >= best * NEARLY_BEST);
      // Each source that is cited has its part in the sentence, however small.
      for (const source of sourceIds) {
        if (chosen.some(({ citations }) => citations.includes(source))) continue;
        const [most] = weighed
          .filter(({ citations }) => citations.includes(source))
          .sort((one, other) => other.score - one.score);
        if (most !== undefined) chosen.push(most);
      }
      const held = new Set(chosen.flatMap(({ citations }) => citations));
      return {
        findingIds: [...new Set(chosen.flatMap(({ findingIds: found }) => found))],
        sourceIds: sourceIds.filter((source) => held.has(source)),
      };
    },
    isQuoted(text) {
      const wanted = withoutEndMarks(comparableText(text).text);
      return [...quotes, ...titles].some((quote) => quote.includes(wanted));
    },
    confidenceOf(findings) {
      return confidenceRemark(findings.flatMap((id) => byId.get(id) ?? []));
    },
  };
}

function textOf({ claim, evidence }: Finding): string {
  return [claim, ...evidence.map(({ quote }) => quote)].join('\n');
}
