import type { VerifiedClaim, VerifiedReport } from '../../contracts/verification/verified-report';
import { count } from '../../core/writing/count';
import { inert } from '../../core/writing/quotation';
import { clip } from '../../core/writing/attribution';
import { auditLine } from './audit-line';
import { markPlaces } from './mark-places';
import { placeName, reasonOf } from './place-name';
import { verdictName } from './verdict-name';

const BEGIN = '<!-- colligate verify: begin -->';
const END = '<!-- colligate verify: end -->';
const MARK = / <sup>\[C\d+ [a-z]+\]\(#verdict-c\d+\)<\/sup>/g;
/** What stands before everything else in a file, and is no Markdown. */
const FRONT_MATTER = /^\ufeff?(?:---\r?\n[^]*?\r?\n---\r?\n)?/;
const MAX_QUOTE_CHARS = 300;

const LEGEND =
  '*supported*: what it cites says it. *inference*: none of it says so, and it follows from what is said there. ' +
  '*partial*: a part of it is not there. *contradicted*: what it cites says otherwise. ' +
  '*unsupported*: what it cites does not bear it. *unchecked*: it could not be told, or what it cites is not there; ' +
  'a number beside it, from 0 to 1, is how likely its words make it.';

/** As much of what was found as stands in the annotated report. */
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

/** A report as it was before it was annotated. */
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
