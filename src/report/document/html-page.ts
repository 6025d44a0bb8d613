import type { Verdict } from '../../contracts/finding';
import { capabilitiesOf } from '../../contracts/pipeline';
import { writingTexts } from '../../contracts/wording';
import { figuresOf } from '../../evidence/statement';
import { groupBy } from '../../lib/iterables';
import { formatQuote } from '../../lib/untrusted-text';
import { displayDate } from '../attribution';
import { countWorks } from '../citations';
import { plainText } from '../cited-markdown/markdown-tree';
import { pageTexts } from '../page-texts';
import { CHECK_LINE, reportTexts } from '../report-texts';
import type { DocumentClaim, DocumentEvidence, DocumentSource, DocumentTree } from './document';
import { type Content, type Html, html, pageFrame, pageScript } from './html';
import {
  claimAnchor,
  confidenceWords,
  numberLink,
  partAnchor,
  partsHtml,
  passagesHtml,
  rejectedClaimAnchor,
  sourceCredits,
  sourceCreditsHtml,
  sourcesHtml,
  sourceTitle,
} from './page-parts';

const EVIDENCE = 'evidence';
const CHECKS = 'behind';

/** One self-contained page: the text with a link from each claim to its passage, then the evidence. Readable without the script. */
export function htmlPage(tree: DocumentTree): string {
  const behind = checksHtml(tree);
  return pageFrame({
    title: tree.title,
    generator: `Colligate ${tree.version}`,
    script: pageScript(),
    header: [headHtml(tree), contentsHtml(tree, behind !== null)],
    main: html`${partsHtml(tree)}${followUpsHtml(tree)}${sourcesHtml(tree)}${behind}${passagesHtml(tree)}`,
    footer: html`${pageTexts.madeBy(tree.version, tree.engine ?? '')}<bdi>${tree.id}</bdi>.`,
  });
}

function headHtml(tree: DocumentTree): Html {
  const { kind, title, question, asOf, check, notices } = tree;
  const date = asOf === null ? '' : pageTexts.asOf(writingTexts.date(displayDate(asOf)));
  const badge =
    check === undefined ? null : html` <a class="badge" href="#${CHECKS}">${pageTexts.badge(check)}</a>`;
  return html`<header>
    <h1 dir="auto">${title}</h1>
    ${question === title ? null : html`<p class="question" dir="auto">${question}</p> `}
    <p class="kind">${pageTexts.kinds[kind]}${date}${pageTexts.from(sourcesCited(tree))}${badge}</p>
    ${kind === 'report' ? null : notices.map((notice) => html`<p class="notice" dir="auto">${notice}</p> `)}
  </header> `;
}

/** Several passages of an answer may be from one source. */
function sourcesCited({ sources }: DocumentTree): number {
  const cited = sources.filter(({ timesCited }) => timesCited > 0).map(({ sourceId }) => sourceId);
  return new Set(cited).size;
}

function contentsHtml({ parts }: DocumentTree, hasBehind: boolean): Html {
  const entries = [
    ...parts.map(({ id, title }) => ({ anchor: partAnchor(id), title })),
    { anchor: 'sources', title: reportTexts.headings.sources },
    ...(hasBehind ? [{ anchor: CHECKS, title: pageTexts.behind }] : []),
  ];
  return html`<nav class="contents" aria-label="${pageTexts.contents}">
    <ol>
      ${entries.map(
        ({ anchor, title }) =>
          html`<li>
            <a href="#${encodeURIComponent(anchor)}"><bdi>${title}</bdi></a>
          </li> `,
      )}
    </ol>
  </nav> `;
}

function followUpsHtml({ followUps }: DocumentTree): Html | null {
  if (followUps.length === 0) return null;
  return html`<section aria-labelledby="follow-ups-title">
    <h2 id="follow-ups-title">${pageTexts.followUps}</h2>
    <ul>
      ${followUps.map((question) => html`<li dir="auto">${question}</li> `)}
    </ul>
  </section> `;
}

function checksHtml(tree: DocumentTree): Html | null {
  const { kind, check, notices, setAside, conflicts, gaps, claims } = tree;
  const having = (isWanted: (verdict: Verdict) => boolean): Html[] =>
    claims.filter(({ verdict }) => isWanted(verdict)).map((claim) => claimItemHtml(claim));
  const boxes = [
    box(
      'open',
      pageTexts.open,
      having((verdict) => verdict !== 'supported' && verdict !== 'inference'),
    ),
    box(
      'set-aside',
      pageTexts.setAside,
      setAside.map((aside) => rejectedClaimHtml(aside, tree)),
    ),
    box(
      'concluded',
      pageTexts.concluded,
      having((verdict) => verdict === 'inference'),
    ),
    box(
      'disputed',
      pageTexts.disputed,
      conflicts.map((conflict) => conflictHtml(conflict)),
    ),
    box(
      'unanswered',
      pageTexts.unanswered,
      gaps.map((gap) => html`<li dir="auto">${gap}</li>`),
    ),
    findingsHtml(tree),
    evidenceHtml(tree),
    kind === 'report'
      ? box(
          'run',
          pageTexts.aboutRun,
          notices.map((notice) => html`<li dir="auto">${notice}</li>`),
        )
      : null,
  ].filter((one) => one !== null);
  if (boxes.length === 0 && check === undefined) return null;
  return html`<section class="behind" id="${CHECKS}" aria-labelledby="${CHECKS}-title">
    <h2 id="${CHECKS}-title">${pageTexts.behind}</h2>
    ${check === undefined ? null : html`<p>${CHECK_LINE}${reportTexts.checked(check)}</p> `}${boxes}
  </section> `;
}

function findingsHtml({ findings = [], sources }: DocumentTree): Html | null {
  const numbers = new Map(sources.map((source) => [source.n, source]));
  const supportOf = (cited: readonly number[]): string => {
    const all = cited.flatMap((n) => numbers.get(n) ?? []);
    const authoritative = all.filter(({ quality }) => quality?.level === 'authoritative');
    return reportTexts.support(countWorks(all), countWorks(authoritative));
  };
  return details(
    'findings',
    pageTexts.confidenceOfFindings,
    findings.length,
    html`<div class="scroll" role="group" aria-labelledby="findings-title" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">${pageTexts.found}</th>
            <th scope="col">${pageTexts.confidence}</th>
            <th scope="col">${pageTexts.supportedBy}</th>
          </tr>
        </thead>
        <tbody>
          ${findings
            .toSorted((one, other) => other.confidence - one.confidence)
            .map(
              ({ claim, confidence, notCrossChecked, sources: cited }) =>
                html`<tr>
                  <td dir="auto">${plainText(claim)}</td>
                  <td>${confidenceWords({ confidence, notCrossChecked })}</td>
                  <td>${supportOf(cited)} ${cited.map(numberLink)}</td>
                </tr> `,
            )}
        </tbody>
      </table>
    </div>`,
  );
}

function evidenceHtml(tree: DocumentTree): Html | null {
  const parts = evidenceParts(tree);
  const rows = parts.reduce((sum, part) => sum + part.rows.length, 0);
  return details(
    EVIDENCE,
    reportTexts.headings.evidence,
    rows,
    parts.map((part, at) => tableOf(part, `${EVIDENCE}-${at + 1}`)),
  );
}

function tableOf({ title, rows }: EvidencePart, id: string): Html {
  return html`<h4 id="${id}" dir="auto">${title}</h4>
    <div class="scroll" role="group" aria-labelledby="${id}" tabindex="0">
      <table class="evidence">
        <thead class="beside">
          <tr>
            <th scope="col">${pageTexts.found}</th>
            <th scope="col">${pageTexts.source}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <td dir="auto">${quoteHtml(row)}</td>
                <td>${sourceHtml(row)}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
}

function quoteHtml(row: EvidenceRow): Content {
  const {
    evidence: { quote },
    claim,
  } = row;
  const dispute = isDisputed(row) ? html` <small class="caution">${pageTexts.isDisputed}</small>` : null;
  const href = encodeURIComponent(claimAnchor(claim.id));
  return html`<a class="claim" href="#${href}">“${withFigures(quote)}”</a>${dispute}`;
}

function withFigures(quote: string): Content[] {
  let from = 0;
  const pieces = figuresOf(quote).results.flatMap(({ start, endOfUnit }): Content[] => {
    const before = quote.slice(from, start);
    from = endOfUnit;
    return [before, html`<strong>${quote.slice(start, endOfUnit)}</strong>`];
  });
  return [...pieces, quote.slice(from)];
}

function sourceHtml({ evidence: { page: n, place }, source }: EvidenceRow): Content {
  const where = place ?? (n === null ? null : pageTexts.onPage(n));
  return html`${numberLink(source.n)}
    <small class="beside"
      >${sourceCredits(source).length === 0 ? null : html`${sourceCreditsHtml(source)}. `}${sourceTitle(source)}${where === null ? null : html`, <bdi>${where}</bdi>`}</small
    >`;
}

function box(id: string, title: string, items: readonly Html[]): Html | null {
  return details(
    id,
    title,
    items.length,
    html`<ul aria-labelledby="${id}-title">
      ${items}
    </ul>`,
  );
}

function details(id: string, title: string, amount: number, content: Content): Html | null {
  if (amount === 0) return null;
  return html`<details id="${id}">
    <summary><h3 id="${id}-title">${title} (${amount})</h3></summary>
    ${content}
  </details> `;
}

function rejectedClaimHtml(
  { id, text, reason, partId, sources }: DocumentTree['setAside'][number],
  { parts }: DocumentTree,
): Html {
  const part = parts.find((one) => one.id === partId)?.title;
  return html`<li id="${rejectedClaimAnchor(id)}">
    <q dir="auto">${text}</q> ${sources.map(numberLink)}
    <p class="why">
      <bdi>${reason}</bdi>${part === undefined ? null : html`${pageTexts.stoodIn}“<bdi>${part}</bdi>”.`}
    </p>
  </li> `;
}

function claimItemHtml({ id, text, verdict, reason }: DocumentClaim): Html {
  return html`<li>
    <a href="#${encodeURIComponent(claimAnchor(id))}"><bdi>${plainText(text)}</bdi></a>
    <p class="why">${pageTexts.verdicts[verdict]}. <bdi>${reason}</bdi></p>
  </li> `;
}

function conflictHtml({ topic, viewpoints, reason, resolution }: DocumentTree['conflicts'][number]): Html {
  const favoured = Number(/^favor_viewpoint_(\d+)$/.exec(resolution)?.[1]);
  return html`<li>
    <strong dir="auto">${topic}</strong>
    <div class="sides">
      ${viewpoints.map(
        ({ statement, sources }, at) =>
          html`<div class="side">
            <p dir="auto">${statement}</p>
            <p>
              ${pageTexts.sources(sources.length)}:
              ${sources.map(numberLink)}${at + 1 === favoured ? html` <small class="caution">${pageTexts.favoured}</small>` : null}
            </p>
          </div> `,
      )}
    </div>
    <p class="why" dir="auto">${reason}</p>
  </li> `;
}

export interface EvidenceRow {
  evidence: DocumentEvidence;
  claim: DocumentClaim;
  source: DocumentSource;
}

interface EvidencePart {
  id: string;
  title: string;
  /** Never empty; disputed quotes first. */
  rows: EvidenceRow[];
}

/** Each quote once, in the first part that rests on it, unless the text contains it. Empty for an answer and the extractive engine. */
export function evidenceParts({ kind, engine, parts, claims, sources }: DocumentTree): EvidencePart[] {
  if (kind === 'answer' || engine === null || capabilitiesOf(engine).framesQuotes) return [];
  const own = claims.filter(({ restates }) => restates !== true);
  const numbers = new Map(sources.map((source) => [source.n, source]));
  const all = own.flatMap((claim) =>
    claim.evidence.flatMap((evidence): EvidenceRow[] => {
      const source = numbers.get(evidence.source);
      if (source === undefined || claim.text.includes(formatQuote(evidence.quote))) return [];
      return [{ evidence, claim, source }];
    }),
  );
  const rows = [...groupBy(all, ({ evidence: { source } }) => source).values()].flatMap(withoutRepeats);
  return parts.flatMap(({ id, title }) => {
    const kept = all.filter((row) => row.claim.partId === id && rows.includes(row));
    const ordered = [...kept.filter(isDisputed), ...kept.filter((row) => !isDisputed(row))];
    return ordered.length === 0 ? [] : [{ id, title, rows: ordered }];
  });
}

function isDisputed({ evidence }: EvidenceRow): boolean {
  return evidence.isDisputed === true;
}

function withoutRepeats(rows: readonly EvidenceRow[]): EvidenceRow[] {
  return rows.filter(({ evidence: one }, at) =>
    rows.every(({ evidence: other }, otherAt) => {
      const isSame = one.start === other.start && one.end === other.end;
      const isWithin = other.start <= one.start && one.end <= other.end;
      return otherAt === at || !isWithin || (isSame && at < otherAt);
    }),
  );
}
