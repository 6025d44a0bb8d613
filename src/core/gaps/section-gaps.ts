import type { Gap } from '../contracts/finding';
import { parseQuestion } from '../question/parse-question';
import { count, type GapSection, saidBy, topicStems, withinSentence } from './material';

const ENOUGH_FINDINGS = 3;
/** Words that begin with so many of the same letters are forms of one. */
const SHARED_START = 6;
/** A figure that is a result, not a year or a label. */
const FIGURE =
  /\d(?:[\d.,]*\d)?\s?(?:%|per ?cent|fold|times\b|points?\b|[kmµn]?g\b|[mnµ]?mol|mm\s?hg|k?cal|cm\b|ms\b|s\b|min)|\d\s?±|\b(?:p|or|rr|hr|ci|md|smd|d)\s?[=<>:]\s?-?\d|\b(?:odds|risk|hazard) ratio|\bmean difference|(?:by|from|to|of)\s-?\d+(?:\.\d+)?/i;

export interface RankedGap extends Gap {
  /** Lower comes first. */
  rank: number;
}

/** What a section's own findings leave open. */
export function sectionGaps(question: string, { section, findings }: GapSection): RankedGap[] {
  const title = withinSentence(section.title);
  const sectionId = section.id;
  if (findings.length === 0) {
    return [
      {
        question: `What results are there on ${title}?`,
        reason: 'Sources deal with it, but none states a result that could be quoted.',
        sectionId,
        rank: 1,
      },
    ];
  }
  return [
    ...silentSubsections({ section, findings }, title),
    ...(parseQuestion(question).asks.includes('how-much')
      ? withoutFigures({ section, findings }, title)
      : []),
  ];
}

function silentSubsections({ section, findings }: GapSection, title: string): RankedGap[] {
  const stems = topicStems(findings.map(saidBy).join('\n'));
  const own = topicStems(section.title);
  return section.subsections
    .filter((subsection) =>
      [...topicStems(subsection)].filter((stem) => !own.has(stem)).every((stem) => !isSpokenOf(stem, stems)),
    )
    .map((subsection) => ({
      question: `What do sources on ${title} say about ${withinSentence(subsection)}?`,
      reason: `Sources of the section speak of ${withinSentence(subsection)}; none of its findings does.`,
      sectionId: section.id,
      rank: 3,
    }));
}

/** Also in another form: `inflammatory` for `inflammation`. */
function isSpokenOf(stem: string, stems: ReadonlySet<string>): boolean {
  const start = stem.slice(0, SHARED_START);
  return start.length < SHARED_START ? stems.has(stem) : [...stems].some((other) => other.startsWith(start));
}

function withoutFigures({ section, findings }: GapSection, title: string): RankedGap[] {
  const withFigure = findings.filter((finding) => FIGURE.test(saidBy(finding))).length;
  if (findings.length < ENOUGH_FINDINGS || withFigure > findings.length / 4) return [];
  return [
    {
      question: `How large are the effects reported for ${title}?`,
      reason: `${withFigure === 0 ? 'None' : `Only ${withFigure}`} of the section’s ${count(findings.length, 'finding')} gives a figure.`,
      sectionId: section.id,
      rank: 2,
    },
  ];
}
