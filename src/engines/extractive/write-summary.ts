import { citationMark } from '../../core/citation-marks';
import type { Finding } from '../../core/contracts/finding';
import { followUpQuestions } from '../../core/follow-up-questions';
import { confidenceWord } from '../../core/confidence';
import { attributionOf } from '../../core/writing/attribution';
import { glossary } from '../../core/writing/claim-sentence';
import { inert, quotation } from '../../core/writing/quotation';
import { tellsOfEffect } from '../../core/writing/section-opening';
import { terms } from '../../core/text/words';
import { countWords, shorten } from '../../core/writing/shorten';
import type { WriteSummaryInput, WriteSummaryOutput } from '../../steps/write-summary';

const MAX_BULLETS = 5;
/** A bullet is read at a glance. */
const BULLET_WORDS = 34;
/** So many of a section's findings compete for its headline, besides those that several sources share. */
const BEST_FINDINGS = 8;
/** How large an effect is: a share, an amount with its unit, two amounts compared. */
const HOW_MUCH = /\d ?%|\d (?:kg|g|mg|cm|mm ?Hg|min|steps|points|mmol)|±|\bvs\.? /i;

/** The Executive Summary: the strongest finding of each of the first sections, shortened, and what to ask next. */
export function writeSummaryExtractively(input: WriteSummaryInput): WriteSummaryOutput {
  const sources = new Map(input.sources.map((source) => [source.sourceId, source]));
  const bullets = input.sections.flatMap(({ section, findings }) => {
    const finding = headline(findings, section.title);
    const evidence = finding?.evidence[0];
    if (finding === undefined || evidence === undefined) return [];
    const { subject, plural } = attributionOf(sources.get(evidence.sourceId) ?? { title: evidence.sourceId });
    const quote = quotation(shorten(evidence.quote, BULLET_WORDS));
    const context = finding.contexts.find(({ sourceId }) => sourceId === evidence.sourceId);
    const cited = `${citationMark([evidence.sourceId])}${glossary(context)}`;
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

/**
 * The finding to name a section by: one that several sources share before one that rests on a single source, the more
 * certain before the less, one that tells of an effect, and on what the section is called by, before others, then one that
 * tells how much and needs no cutting. Findings come best first.
 */
function headline(findings: readonly Finding[], title: string): Finding | undefined {
  const words = ['Low', 'Medium', 'High'];
  const named = new Set(terms(title));
  const rank = (finding: Finding): number[] => [
    Math.min(finding.citations.length, 2),
    words.indexOf(confidenceWord(finding.confidence)),
    Number(tellsOfEffect(finding.claim)) + Number(terms(finding.claim).some((term) => named.has(term))),
    Number(HOW_MUCH.test(finding.claim)),
    Number(fits(finding)),
  ];
  const shared = findings.filter((finding) => finding.citations.length > 1);
  const [first, ...others] = [...new Set([...findings.slice(0, BEST_FINDINGS), ...shared])];
  return others.reduce(
    (best, finding) => (best !== undefined && isHigher(rank(finding), rank(best)) ? finding : best),
    first,
  );
}

function isHigher(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
}

function fits(finding: Finding): boolean {
  return countWords(finding.evidence[0]?.quote ?? '') <= BULLET_WORDS;
}
