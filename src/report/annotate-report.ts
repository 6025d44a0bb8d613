import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { Verdict } from '../contracts/finding';
import type { VerifiedClaim, VerifiedReport } from '../contracts/verified-report';
import { count } from '../contracts/wording';
import { joinSeries } from '../lib/strings';
import { toSafeLine } from '../lib/untrusted-text';
import { clip } from './attribution';
import { withBoundedDepth } from './cited-markdown/markdown-tree';
import { verdictName } from './statement-verdicts';

const BEGIN = '<!-- colligate verify: begin -->';
const END = '<!-- colligate verify: end -->';
const MARK = / <sup>\[C\d+ [a-z]+\]\(#verdict-c\d+\)<\/sup>/g;
const FRONT_MATTER = /^\ufeff?(?:---\r?\n[^]*?\r?\n---\r?\n)?/;
const MAX_QUOTE_CHARS = 300;

const LEGEND =
  '*supported*: what it cites says it. *inference*: none of it says so, and it follows from what is said there. ' +
  '*partial*: a part of it is not there. *contradicted*: what it cites says otherwise. ' +
  '*unsupported*: what it cites does not bear it. *unchecked*: it could not be told, or what it cites is not there; ' +
  'a number beside it, from 0 to 1, is how likely its words make it.';

type AnnotationInput = Pick<VerifiedReport, 'claims' | 'audit' | 'critic' | 'problems' | 'sources'>;

/** Adds a verdict behind each claim and a summary at the top. The rest stays byte for byte: `withoutAnnotations` restores the report. */
export function annotateReport(markdown: string, verified: AnnotationInput): string {
  const { claims } = verified;
  const places = markPlaces(
    markdown,
    claims.map(({ end }) => end),
  );
  const front = FRONT_MATTER.exec(markdown)?.[0].length ?? 0;
  const marks = claims
    .flatMap((claim, at) => {
      const place = places[at] ?? null;
      return place === null || place <= front ? [] : [{ place, mark: verdictMark(claim) }];
    })
    .sort((one, other) => one.place - other.place);
  let annotated = `${markdown.slice(0, front)}${annotationHeader(verified)}`;
  let done = front;
  for (const { place, mark } of marks) {
    annotated += markdown.slice(done, place) + mark;
    done = place;
  }
  return annotated + markdown.slice(done);
}

export function withoutAnnotations(annotated: string): string {
  const [begin, end] = [annotated.indexOf(`${BEGIN}\n`), annotated.indexOf(`${END}\n\n`)];
  const told =
    begin < 0 || end < begin ? annotated : annotated.slice(0, begin) + annotated.slice(end + END.length + 2);
  return told.replace(MARK, '');
}

function verdictMark({ id, verdict }: VerifiedClaim): string {
  return ` <sup>[${id} ${verdict}](#verdict-${id.toLowerCase()})</sup>`;
}

function annotationHeader({ claims, audit, critic, problems, sources: { titles } }: AnnotationInput): string {
  const lines = [
    BEGIN,
    `**Claims checked against their sources.** ${auditLine({ audit, critic })}`,
    '',
    `Each claim has its verdict behind it. ${LEGEND} Lines are those of the report without the marks.`,
    '',
    '<details>',
    `<summary>${count(claims.length, 'verdict')}, each with its reason and place</summary>`,
    '',
    ...claims.map((claim) => verdictItem(claim, titles)),
    '',
    '</details>',
    '',
    ...(problems.length === 0
      ? []
      : [
          '<details>',
          `<summary>${count(problems.length, 'problem')} with citations and sources</summary>`,
          '',
          ...problems.map(
            ({ line, text, message }) =>
              `- ${line === null ? '' : `Line ${line}: `}${toSafeLine(clip(text, MAX_QUOTE_CHARS))}. ${toSafeLine(message)}`,
          ),
          '',
          '</details>',
          '',
        ]),
    END,
    '',
    '',
  ];
  return lines.join('\n');
}

function verdictItem(claim: VerifiedClaim, titles: VerifiedReport['sources']['titles']): string {
  const { id, line, evidence } = claim;
  const place =
    evidence === null
      ? ''
      : ` ${toSafeLine(evidenceLabel(claim, titles) ?? '')} “${toSafeLine(clip(evidence.quote, MAX_QUOTE_CHARS))}”`;
  return `- <a id="verdict-${id.toLowerCase()}"></a>**${id}, line ${line}: ${verdictName(claim)}.** ${toSafeLine(verdictReason(claim, titles))}${place}`;
}

const processor = unified().use(remarkParse).use(remarkGfm);

interface PlacedNode {
  type: string;
  children?: PlacedNode[];
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined;
}

/** Nodes with inline content, where a mark can stand. */
const INLINE_PARENTS = new Set(['paragraph', 'heading', 'tableCell']);

/** The longest character reference is `&CounterClockwiseContourIntegral;`. */
const MAX_REFERENCE_CHARS = 34;

interface InlineRange {
  start: number;
  end: number;
  /** True if a mark may stand inside it, and not only behind it. */
  isText: boolean;
}

/** Offsets where a mark does not change the rendering: behind a link, code or emphasis. Null if there is none, as in a code block. */
function markPlaces(markdown: string, places: readonly number[]): (number | null)[] {
  const stretches: InlineRange[] = [];
  collectInlineRanges(processor.parse(withBoundedDepth(markdown)), stretches);
  return places.map((place) => {
    // The last stretch that begins before the place: a claim can end behind its table cell or list item.
    const at = lastBefore(stretches, place);
    if (at === undefined || (place > at.end && markdown.slice(at.end, place).replace(/[|\s]/g, '') !== ''))
      return null;
    const inside = at.isText ? endOfReference(markdown, Math.min(place, at.end)) : at.end;
    return inside - (/\s*$/.exec(markdown.slice(at.start, inside))?.[0].length ?? 0);
  });
}

/** Moves the place behind an escape or a character reference that contains it. */
function endOfReference(markdown: string, place: number): number {
  const before = markdown.slice(Math.max(0, place - MAX_REFERENCE_CHARS), place);
  const slashes = /\\*$/.exec(before)?.[0].length ?? 0;
  if (slashes % 2 === 1) return place + 1;
  const rest = /&#?\w*$/.test(before)
    ? /^#?\w*;/.exec(markdown.slice(place, place + MAX_REFERENCE_CHARS))
    : null;
  return place + (rest?.[0].length ?? 0);
}

function collectInlineRanges(node: PlacedNode, stretches: InlineRange[]): void {
  for (const child of node.children ?? []) {
    const [start, end] = [child.position?.start.offset, child.position?.end.offset];
    if (!INLINE_PARENTS.has(node.type)) collectInlineRanges(child, stretches);
    else if (start !== undefined && end !== undefined)
      stretches.push({ start, end, isText: child.type === 'text' });
  }
}

function lastBefore(stretches: readonly InlineRange[], place: number): InlineRange | undefined {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((stretches[middle]?.start ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return stretches[low - 1];
}

/** `71 claims: 8 supported, 3 partial, 4 unsupported; 56 of 71 cannot be told by words. 17 statements cite nothing.` */
export function auditLine({ audit, critic }: Pick<VerifiedReport, 'audit' | 'critic'>): string {
  const { claims, open, uncited } = audit;
  const told = Verdict.options.filter(
    (verdict) => verdict === 'supported' || (verdict !== 'unchecked' && audit[verdict] > 0),
  );
  const counts = told.map((verdict) => `${audit[verdict]} ${verdict}`).join(', ');
  const stays = critic === null ? 'cannot be told by words' : open === 1 ? 'stays open' : 'stay open';
  const missing = audit.unchecked - open;
  const rest = [
    ...(open === 0 ? [] : [`${open} of ${claims} ${stays}`]),
    ...(missing === 0 ? [] : [`${missing} ${missing === 1 ? 'cites' : 'cite'} what was not given`]),
  ];
  return (
    `${count(claims, 'claim')}: ${counts}${rest.length === 0 ? '' : `; ${rest.join(', ')}`}. ` +
    `${count(uncited, 'statement')} ${uncited === 1 ? 'cites' : 'cite'} nothing.`
  );
}

type Titles = VerifiedReport['sources']['titles'];

const MAX_LABEL_CHARS = 30;
const MAX_TITLE_CHARS = 60;

/** Label of the source of a claim's quote: `[3]` if the claim cites it so, else the title. Null without evidence. */
export function evidenceLabel(
  claim: Pick<VerifiedClaim, 'citations' | 'evidence'>,
  titles: Titles,
): string | null {
  return claim.evidence === null ? null : sourceLabel(claim.evidence.sourceId, claim, titles);
}

function sourceLabel(id: string, { citations }: Pick<VerifiedClaim, 'citations'>, titles: Titles): string {
  const label = citations.find(({ sourceId }) => sourceId === id)?.label;
  return label === undefined || label.length > MAX_LABEL_CHARS ? sourceTitle(id, titles) : `[${label}]`;
}

type ReasonInput = Pick<
  VerifiedClaim,
  'verdict' | 'code' | 'citations' | 'reason' | 'betterSourceId' | 'saidElsewhere' | 'notBorneBy'
>;

/** Reason for a claim's verdict, with the uncited sources that state it and the cited sources that do not. */
export function verdictReason(claim: ReasonInput, titles: Titles): string {
  const { reason, notBorneBy = [] } = claim;
  const refused = notBorneBy.map((id) => sourceLabel(id, claim, titles));
  const not =
    refused.length === 0 ? '' : `${joinSeries(refused)} ${refused.length === 1 ? 'does' : 'do'} not say so.`;
  return [supportElsewhere(claim, titles), reason, not].filter((part) => part !== '').join(' ');
}

function supportElsewhere(
  { verdict, code, betterSourceId, saidElsewhere }: ReasonInput,
  titles: Titles,
): string {
  const ids =
    saidElsewhere?.map(({ sourceId }) => sourceId) ?? (betterSourceId === undefined ? [] : [betterSourceId]);
  if (ids.length === 0) return '';
  const named = joinSeries([...new Set(ids)].map((id) => `“${sourceTitle(id, titles)}”`));
  if (code !== 'misattributed') return `A part of it stands in ${named}, which it does not cite.`;
  return verdict === 'partial'
    ? `The rest stands in ${named}, which it does not cite.`
    : `It stands in ${named}.`;
}

function sourceTitle(id: string, titles: Titles): string {
  return clip(titles[id] ?? id, MAX_TITLE_CHARS);
}
