import { reportTexts } from '../../texts/report';
import { citationMark } from '../text/citation-marks';
import type { Gap } from '../../contracts/report/finding';
import { noAnswerSentence } from './no-answer-sentence';
import { inert, quotation } from '../writing/quotation';
import { relevanceOfSources } from './bearing-sources';
import type { ReportParts } from './report-parts';

const MOST_NEAREST = 5;

export interface UnansweredTexts {
  notice: string;
  theme: string;
  /** The Executive Summary, with citation marks. */
  summary: string;
  gap: Gap;
}

/** Null for a report that has an answer, or whose run ended before that could be said. */
export function unansweredTexts(parts: ReportParts): UnansweredTexts | null {
  const nearest = nearestSources(parts);
  if (nearest === null) return null;
  const { question, sourcesGiven } = parts;
  const titles = new Map((parts.catalogue?.sources ?? []).map(({ id, title }) => [id, title]));
  const named = nearest.flatMap((id) => {
    const title = titles.get(id);
    return title === undefined ? [] : [`${quotation(title)} ${citationMark([id])}`];
  });
  const theme = noAnswerSentence(question);
  const given = sourcesGiven === 1 ? 'the one source' : `the ${sourcesGiven} sources`;
  return {
    notice: reportTexts.noAnswer(sourcesGiven),
    theme,
    summary: [inert(theme), ...(named.length === 0 ? [] : [reportTexts.nearest(named)])].join(' '),
    gap: { question, reason: `Nothing that could be quoted on it was found in ${given}.` },
  };
}

/** Those that the outline names, or where reading its sections gave nothing those that were most relevant to one. */
export function nearestSources({
  outline,
  noAnswer,
}: Pick<ReportParts, 'outline' | 'noAnswer'>): string[] | null {
  if (outline?.unanswered !== undefined) return outline.unanswered.nearest.slice(0, MOST_NEAREST);
  if (noAnswer !== true) return null;
  return [...relevanceOfSources(outline)]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, MOST_NEAREST)
    .map(([id]) => id);
}
