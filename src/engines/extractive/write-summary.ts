import { citationMark } from '../../core/text/citation-marks';
import { followUpQuestions } from '../../core/report/follow-up-questions';
import { stripUnsafe } from '../../core/text/untrusted-text';
import { asOfNote } from '../../core/writing/as-of';
import { type Attributable, attributionOf } from '../../core/writing/attribution';
import { inert, quotation } from '../../core/writing/quotation';
import { shorten } from '../../core/writing/shorten';
import type { WriteSummaryInput, WriteSummaryOutput } from '../../steps/write-summary/contract';
import { chooseHeadlines, type Headline } from './headlines';
import { answeringVoteClaim } from './vote-claim';

/** Document 002: 3–5 bullets. */
const BULLETS = { min: 3, max: 5 };
/** A bullet is read at a glance. */
const BULLET_WORDS = 34;

/** The Executive Summary: the strongest findings of the sections, shortened, and what to ask next. */
export function writeSummaryExtractively(input: WriteSummaryInput): WriteSummaryOutput {
  const sources = new Map(input.sources.map((source) => [source.sourceId, source]));
  const answer = answeringVoteClaim(
    input.question,
    input.sections.flatMap(({ findings }) => findings),
  );
  const isSectioned = input.sections.length > 1;
  const headlines = chooseHeadlines(input.sections, {
    min: BULLETS.min - Number(answer !== null),
    max: BULLETS.max - Number(answer !== null),
    threshold: input.confidenceThreshold ?? 0,
  });
  const claims = headlines.map((headline) => ({
    text: told(headline, sources),
    findingIds: [headline.finding.id],
  }));
  return {
    title: stripUnsafe(input.question).replace(/\s+/g, ' ').trim() || input.question,
    bullets: [
      ...(answer === null ? [] : [answer.text]),
      ...headlines.map((headline, index) => {
        const isFirst = headline.section !== headlines[index - 1]?.section;
        const title = input.sections[headline.section]?.section.title ?? '';
        const name = isSectioned && isFirst && title !== '' ? `**${inert(title)}.** ` : '';
        return `${name}${claims[index]?.text ?? ''}`;
      }),
    ],
    claims: [...(answer === null ? [] : [answer]), ...claims],
    followUpQuestions: followUpQuestions({ conflicts: input.conflicts, gaps: input.gaps }),
  };
}

/** `Doe and colleagues (2011) report: “…” [@a]; 2 more sources agree [@b; @c].` */
function told({ finding, evidence }: Headline, sources: ReadonlyMap<string, Attributable>): string {
  const { sourceId, quote } = evidence;
  const source = sources.get(sourceId) ?? { title: sourceId };
  const { subject, plural } = attributionOf(source);
  const words = shorten(quote, BULLET_WORDS);
  const others = [...new Set(finding.citations)].filter(
    (id) => id !== sourceId && finding.inPart?.includes(id) !== true,
  );
  const agreeing =
    others.length === 0
      ? ''
      : `; ${others.length === 1 ? 'one more source agrees' : `${others.length} more sources agree`} ${citationMark(others)}`;
  return (
    `${inert(subject)} ${plural ? 'report' : 'reports'}: ${quotation(words)} ${citationMark([sourceId])}` +
    `${asOfNote(words, source.publishedAt, subject)}${agreeing}.`
  );
}
