import type { Report, ReportClaim } from '../../contracts/report/report';
import { traitsOf } from '../../contracts/run/engines';
import type { Check } from '../../texts/report';
import { writingTexts, type Level } from '../../texts/writing';
import { confidenceWord } from '../evidence/confidence';
import { countVerdicts } from '../settled-text/count-verdicts';
import type { RenderedClaim } from './render-claims';

type Judged = Pick<ReportClaim, 'verdict' | 'code'>;

/**
 * How the statements of a report, those of a written summary included, were checked, and with which result. Those that were set aside
 * are counted apart.
 */
export function checkOf({
  claims,
  summaryClaims = [],
  setAside,
  provenance,
}: Pick<Report, 'setAside' | 'provenance'> & {
  claims: readonly Judged[];
  summaryClaims?: readonly Judged[] | undefined;
}): Check {
  const all = [...summaryClaims, ...claims];
  const { claims: stated, supported, inference, unchecked } = countVerdicts(all);
  const { critic, strong } = provenance.models;
  const isAsked = [...all, ...setAside].some(({ code }) => code === 'critic');
  const by = traitsOf(provenance.engine).framesQuotes
    ? 'quoting'
    : !isAsked
      ? 'words'
      : critic === undefined || critic === strong
        ? 'same-model'
        : 'other-model';
  const doubtful = stated - supported - inference - unchecked;
  const numberAbsent = all.filter(
    ({ verdict, code }) => verdict === 'inference' && code === 'number-absent',
  ).length;
  return { by, stated, supported, inference, unchecked, numberAbsent, doubtful, setAside: setAside.length };
}

/** True if a reader has to be told, in the text, that the claim is not known to be supported. */
function isOpen({ verdict }: Pick<ReportClaim, 'verdict'>): boolean {
  return verdict === 'unchecked';
}

/** The text with `(unchecked)` behind each claim that no check confirmed. */
export function withUncheckedMarks(
  markdown: string,
  claims: readonly Pick<ReportClaim, 'start' | 'end' | 'verdict'>[],
): string {
  return claims
    .filter(isOpen)
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { end }) => withRemarkAt(text, end, writingTexts.unchecked), markdown);
}

/**
 * The blocks of a summary in Markdown, each with the confidence of the least certain of its claims, or with `(unchecked)` in one that a model
 * wrote and no critic read: a shortened quote is no other claim. Where a model's blocks are all as sure, one line below them says so of all.
 */
export function markedSummary(
  { markdown, claims }: { markdown: string; claims: readonly RenderedClaim[] },
  { isQuoted, marksOpen }: { isQuoted: boolean; marksOpen: boolean },
): { blocks: string[]; confidence: string } {
  let from = 0;
  const read = markdown.split('\n\n').map((text) => {
    const [start, end] = [from, from + text.length];
    from = end + 2;
    const own = claims.flatMap(({ claim }) => (claim.start >= start && claim.end <= end ? [claim] : []));
    const level = confidenceWord(Math.min(...own.map(({ confidence }) => confidence)));
    const told: Level | 'unchecked' = marksOpen && !isQuoted && own.some(isOpen) ? 'unchecked' : level;
    const mark = own.length === 0 || text.startsWith('|') ? null : told;
    return { text, mark };
  });
  const marks = read.flatMap(({ mark }) => mark ?? []);
  const [first] = marks;
  if (
    !isQuoted &&
    marks.length > 1 &&
    first !== undefined &&
    first !== 'unchecked' &&
    marks.every((one) => one === first)
  )
    return { blocks: read.map(({ text }) => text), confidence: writingTexts.allAsSure(first) };
  const blocks = read.flatMap(({ text, mark }) => {
    if (text === '') return [];
    const marked = mark === null ? text : withRemarkAt(text, text.length, remarkOf(mark));
    return [isQuoted ? `- ${marked}` : marked];
  });
  return { blocks, confidence: '' };
}

function remarkOf(mark: Level | 'unchecked'): string {
  return mark === 'unchecked' ? writingTexts.unchecked : writingTexts.confidence(mark, true);
}

/** Before the full stop that ends at the offset, or in the last cell of a row: `… by 12 % [1] (unchecked).` */
function withRemarkAt(text: string, end: number, remark: string): string {
  const at = end - (/(?:[.!?]|\s*\|)?$/.exec(text.slice(0, end))?.[0].length ?? 0);
  return `${text.slice(0, at)} (${remark})${text.slice(at)}`;
}
