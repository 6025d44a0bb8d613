import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { Verdict } from '../contracts/finding';
import type { VerifiedClaim, VerifiedReport } from '../contracts/verified-report';
import { count } from '../contracts/wording';
import { inSeries } from '../lib/strings';
import { inert } from '../lib/untrusted-text';
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

type Annotated = Pick<VerifiedReport, 'claims' | 'audit' | 'critic' | 'problems' | 'sources'>;

/**
 * The report with each claim's verdict behind it, and a legend, the counts and a folded list of reasons and quotes on top.
 * The rest stays byte for byte: `withoutAnnotations` gives the report back, where it had no such marks before.
 */
export function annotateReport(markdown: string, verified: Annotated): string {
  const { claims } = verified;
  const places = markPlaces(
    markdown,
    claims.map(({ end }) => end),
  );
  const front = FRONT_MATTER.exec(markdown)?.[0].length ?? 0;
  const marks = claims
    .flatMap((claim, at) => {
      const place = places[at] ?? null;
      return place === null || place <= front ? [] : [{ place, mark: markOf(claim) }];
    })
    .sort((one, other) => one.place - other.place);
  let annotated = `${markdown.slice(0, front)}${header(verified)}`;
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

function markOf({ id, verdict }: VerifiedClaim): string {
  return ` <sup>[${id} ${verdict}](#verdict-${id.toLowerCase()})</sup>`;
}

function header({ claims, audit, critic, problems, sources: { titles } }: Annotated): string {
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
              `- ${line === null ? '' : `Line ${line}: `}${inert(clip(text, MAX_QUOTE_CHARS))}. ${inert(message)}`,
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
      : ` ${inert(placeName(claim, titles) ?? '')} “${inert(clip(evidence.quote, MAX_QUOTE_CHARS))}”`;
  return `- <a id="verdict-${id.toLowerCase()}"></a>**${id}, line ${line}: ${verdictName(claim)}.** ${inert(reasonOf(claim, titles))}${place}`;
}

const processor = unified().use(remarkParse).use(remarkGfm);

interface PlacedNode {
  type: string;
  children?: PlacedNode[];
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined;
}

/** What holds words, links and emphasis, and can hold a mark among them. */
const HOLDERS = new Set(['paragraph', 'heading', 'tableCell']);

/** `&CounterClockwiseContourIntegral;` is the longest there is. */
const LONGEST_REFERENCE = 34;

interface Stretch {
  start: number;
  end: number;
  /** Whether a mark may stand within it, not only behind it. */
  isText: boolean;
}

/**
 * Where a mark behind each of these places changes nothing else of how the Markdown is shown: behind the link, code or
 * emphasis that the place lies in, before a table cell's end; null where there is no such place, as in a block of code.
 */
function markPlaces(markdown: string, places: readonly number[]): (number | null)[] {
  const stretches: Stretch[] = [];
  collect(processor.parse(withBoundedDepth(markdown)), stretches);
  return places.map((place) => {
    // The last one that begins before the place: a claim's end may lie behind its cell, or behind its item's line.
    const at = lastBefore(stretches, place);
    if (at === undefined || (place > at.end && markdown.slice(at.end, place).replace(/[|\s]/g, '') !== ''))
      return null;
    const inside = at.isText ? whole(markdown, Math.min(place, at.end)) : at.end;
    return inside - (/\s*$/.exec(markdown.slice(at.start, inside))?.[0].length ?? 0);
  });
}

/** Behind the escaped sign or the character reference that the place lies in. */
function whole(markdown: string, place: number): number {
  const before = markdown.slice(Math.max(0, place - LONGEST_REFERENCE), place);
  const slashes = /\\*$/.exec(before)?.[0].length ?? 0;
  if (slashes % 2 === 1) return place + 1;
  const rest = /&#?\w*$/.test(before)
    ? /^#?\w*;/.exec(markdown.slice(place, place + LONGEST_REFERENCE))
    : null;
  return place + (rest?.[0].length ?? 0);
}

function collect(node: PlacedNode, stretches: Stretch[]): void {
  for (const child of node.children ?? []) {
    const [start, end] = [child.position?.start.offset, child.position?.end.offset];
    if (!HOLDERS.has(node.type)) collect(child, stretches);
    else if (start !== undefined && end !== undefined)
      stretches.push({ start, end, isText: child.type === 'text' });
  }
}

function lastBefore(stretches: readonly Stretch[], place: number): Stretch | undefined {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((stretches[middle]?.start ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return stretches[low - 1];
}

/**
 * `71 claims: 8 supported, 3 partial, 4 unsupported; 56 of 71 cannot be told by words. 17 statements cite nothing.` What stays open
 * behind a critic is told as that.
 */
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

/** Longer labels, such as addresses, say less than the source's title. */
const LONGEST_LABEL = 30;
const LONGEST_TITLE = 60;

/** By what a reader knows the source that a claim's quote stands in: `[3]` where the claim cites it so, else its title. */
export function placeName(
  claim: Pick<VerifiedClaim, 'citations' | 'evidence'>,
  titles: Titles,
): string | null {
  return claim.evidence === null ? null : nameOf(claim.evidence.sourceId, claim, titles);
}

function nameOf(id: string, { citations }: Pick<VerifiedClaim, 'citations'>, titles: Titles): string {
  const label = citations.find(({ sourceId }) => sourceId === id)?.label;
  return label === undefined || label.length > LONGEST_LABEL ? titleOf(id, titles) : `[${label}]`;
}

type Reasoned = Pick<
  VerifiedClaim,
  'verdict' | 'code' | 'citations' | 'reason' | 'betterSourceId' | 'saidElsewhere' | 'notBorneBy'
>;

/**
 * Why a claim has its verdict; of one that lost a source with the source that says it, or what is missing; and which of those that it
 * cites do not bear it.
 */
export function reasonOf(claim: Reasoned, titles: Titles): string {
  const { reason, notBorneBy = [] } = claim;
  const refused = notBorneBy.map((id) => nameOf(id, claim, titles));
  const not =
    refused.length === 0 ? '' : `${inSeries(refused)} ${refused.length === 1 ? 'does' : 'do'} not say so.`;
  return [whereElse(claim, titles), reason, not].filter((part) => part !== '').join(' ');
}

function whereElse({ verdict, code, betterSourceId, saidElsewhere }: Reasoned, titles: Titles): string {
  const ids =
    saidElsewhere?.map(({ sourceId }) => sourceId) ?? (betterSourceId === undefined ? [] : [betterSourceId]);
  if (ids.length === 0) return '';
  const named = inSeries([...new Set(ids)].map((id) => `“${titleOf(id, titles)}”`));
  if (code !== 'misattributed') return `A part of it stands in ${named}, which it does not cite.`;
  return verdict === 'partial'
    ? `The rest stands in ${named}, which it does not cite.`
    : `It stands in ${named}.`;
}

function titleOf(id: string, titles: Titles): string {
  return clip(titles[id] ?? id, LONGEST_TITLE);
}
