import { citationMark } from '../../core/citation-marks';
import type { Finding } from '../../core/contracts/finding';
import { followUpQuestions } from '../../core/follow-up-questions';
import { confidenceWord } from '../../core/confidence';
import { attributionOf } from '../../core/writing/attribution';
import { inert, quotation } from '../../core/writing/quotation';
import { countWords, shorten } from '../../core/writing/shorten';
import type { WriteSummaryInput, WriteSummaryOutput } from '../../steps/write-summary';

const MAX_BULLETS = 5;
/** A bullet is read at a glance. */
const BULLET_WORDS = 34;

/** The Executive Summary: the strongest finding of each of the first sections, shortened, and what to ask next. */
export function writeSummaryExtractively(input: WriteSummaryInput): WriteSummaryOutput {
  const sources = new Map(input.sources.map((source) => [source.sourceId, source]));
  const bullets = input.sections.flatMap(({ section, findings }) => {
    const finding = [...findings].sort(byHeadline)[0];
    const evidence = finding?.evidence[0];
    if (finding === undefined || evidence === undefined) return [];
    const { subject, plural } = attributionOf(sources.get(evidence.sourceId) ?? { title: evidence.sourceId });
    const quote = quotation(shorten(evidence.quote, BULLET_WORDS));
    const cited = citationMark([evidence.sourceId]);
    return [
      `**${inert(section.title)}.** ${inert(subject)} ${plural ? 'report' : 'reports'}: ${quote} ${cited} (${confidenceWord(finding.confidence)} confidence).`,
    ];
  });
  return {
    title: inert(input.question),
    bullets: bullets.slice(0, MAX_BULLETS),
    followUpQuestions: followUpQuestions({
      question: input.question,
      sections: input.sections,
      conflicts: input.conflicts,
      gaps: input.gaps,
    }),
  };
}

/** Most certain first; among equals one that needs no cutting, and one with a figure. */
function byHeadline(one: Finding, other: Finding): number {
  return (
    other.confidence - one.confidence ||
    Number(fits(other)) - Number(fits(one)) ||
    Number(/\d/.test(other.claim)) - Number(/\d/.test(one.claim)) ||
    (one.id < other.id ? -1 : 1)
  );
}

function fits(finding: Finding): boolean {
  return countWords(finding.evidence[0]?.quote ?? '') <= BULLET_WORDS;
}
