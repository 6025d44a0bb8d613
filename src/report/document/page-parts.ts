import type { ReadSource, SourcesRead } from '../../contracts/source';
import { writingTexts } from '../../contracts/wording';
import { confidenceWord } from '../../evidence/corroboration';
import { groupBy } from '../../lib/iterables';
import { capitalised, missingFullStop } from '../../lib/strings';
import { displayDate } from '../attribution';
import { byWork } from '../citations';
import { plainText } from '../cited-markdown/markdown-tree';
import { pageTexts } from '../page-texts';
import { reportTexts } from '../report-texts';
import type { DocumentClaim, DocumentEvidence, DocumentPart, DocumentSource, DocumentTree } from './document';
import { type Content, html, type Html } from './html';
import { markdownHtml } from './markdown-html';

export function partsHtml({ parts, claims, sources }: DocumentTree): Html {
  const numbers = new Map(sources.map((source) => [source.n, source]));
  return html`${parts.map((part) => partHtml(part, claimsIn(part, claims), numbers))}`;
}

function partHtml(
  { id, title, markdown }: DocumentPart,
  claims: readonly DocumentClaim[],
  sources: ReadonlyMap<number, DocumentSource>,
): Html {
  const text = markdownHtml(markdown, {
    spans: claims,
    around: (claim, said, isFirst) => claimLink(claim, said, { isFirst, isOwn: claim.partId === id }),
    words: (words, claim) => linkCitations(words, sources, claim),
    headingLevel: 3,
  });
  const anchor = partAnchor(id);
  return html`<section class="part" id="${anchor}" aria-labelledby="${anchor}-title">
    <h2 id="${anchor}-title" dir="auto">${title}</h2>
    ${text}
  </section> `;
}

/** Claims of a part. A text without claims of its own, such as a summary, may repeat other parts' claims or quotes. */
function claimsIn({ id, markdown }: DocumentPart, claims: readonly DocumentClaim[]): DocumentClaim[] {
  const own = claims.filter(({ partId }) => partId === id);
  if (own.length > 0) return own;
  let from = 0;
  return [...repeatedClaims(markdown, claims), ...repeatedQuotes(markdown, claims)]
    .sort((one, other) => one.start - other.start || other.end - one.end)
    .filter(({ start, end }) => {
      const isApart = start >= from;
      if (isApart) from = end;
      return isApart;
    });
}

function repeatedClaims(markdown: string, claims: readonly DocumentClaim[]): DocumentClaim[] {
  return claims.flatMap((claim) => {
    const start = markdown.indexOf(claim.text);
    return start < 0 ? [] : [{ ...claim, start, end: start + claim.text.length }];
  });
}

/** A quote in a claim; a shorter one may occur elsewhere by chance. */
const QUOTE = /“[^“”]{30,}”/g;

/** Quotes of a text that a claim has too, whole or with ellipses for omitted parts. */
function repeatedQuotes(markdown: string, claims: readonly DocumentClaim[]): DocumentClaim[] {
  return [...markdown.matchAll(QUOTE)].flatMap(({ 0: said, index: start }) => {
    const parts = said.slice(1, -1).split('…');
    const claim = claims.find(({ text }) => occurInOrder(text, parts));
    return claim === undefined ? [] : [{ ...claim, start, end: start + said.length }];
  });
}

function occurInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = text.indexOf(part.trim(), from);
    from = at + part.trim().length;
    return at >= 0;
  });
}

function claimLink(claim: DocumentClaim, said: Content, place: { isFirst: boolean; isOwn: boolean }): Html {
  const href = encodeURIComponent(claimAnchor(claim.id));
  const warned = claim.restates === true ? null : caution(claim);
  const marks = place.isFirst && warned !== null ? html` <small class="caution">${warned}</small>` : null;
  const id = place.isFirst && place.isOwn ? html` id="${placeAnchor(claim.id)}"` : null;
  return claim.verdict === 'inference'
    ? html`<a class="claim concluded" title="${pageTexts.conclusion}" ${id} href="#${href}">${said}</a>`
    : html`<a class="claim" ${id} href="#${href}">${said}${marks}</a>`;
}

/** Source numbers become links; within a claim, the claim's own link leads to the passages. */
function linkCitations(
  words: string,
  sources: ReadonlyMap<number, DocumentSource>,
  claim: DocumentClaim | null,
): Content {
  return words.split(/(\[\d{1,6}\])/).map((piece) => {
    const n = Number(/^\[(\d+)\]$/.exec(piece)?.[1]);
    if (!sources.has(n)) return piece;
    return claim === null
      ? html`<a class="cite" href="#${sourceAnchor(n)}">${piece}</a>`
      : html`<span class="cite" data-n="${n}">${piece}</span>`;
  });
}

/** Evidence of each claim. The screen shows the targeted claim's next to the text; print shows all of them at the end. */
export function passagesHtml({ claims, sources }: DocumentTree): Html | null {
  if (claims.length === 0) return null;
  const numbers = new Map(sources.map((source) => [source.n, source]));
  return html`<section id="passages" class="passages" aria-labelledby="passages-title">
    <h2 id="passages-title">${pageTexts.passages}</h2>
    ${claims.map((claim, at) => passageHtml(claim, at, claims, numbers))}
  </section> `;
}

function passageHtml(
  claim: DocumentClaim,
  at: number,
  claims: readonly DocumentClaim[],
  sources: ReadonlyMap<number, DocumentSource>,
): Html {
  const anchor = claimAnchor(claim.id);
  const confidence = confidenceWords(claim);
  return html`<article
    class="passage"
    id="${anchor}"
    tabindex="-1"
    aria-labelledby="${anchor}-title"
    data-place="${placeAnchor(claim.id)}"
  >
    <nav class="steps" aria-label="${pageTexts.claims}">
      ${step(claims[at - 1], 'previous')}<a class="back" href="#${encodeURIComponent(placeAnchor(claim.id))}"
        >${pageTexts.back}</a
      >${step(claims[at + 1], 'next')}
    </nav>
    <h3 id="${anchor}-title">${pageTexts.claimOf(at + 1, claims.length)}</h3>
    <p class="said" dir="auto">${plainText(claim.text)}</p>
    ${placesHtml(claim, sources)}
    <dl class="check">
      <dt>${pageTexts.check}</dt>
      <dd class="verdict-${claim.verdict}">${pageTexts.verdicts[claim.verdict]}</dd>
      <dt>${pageTexts.why}</dt>
      <dd dir="auto">${claim.reason}</dd>
      ${
        confidence === null
          ? null
          : html`<dt>${pageTexts.confidence}</dt>
              <dd>${confidence}</dd>`
      }
    </dl>
  </article> `;
}

function step(claim: DocumentClaim | undefined, direction: 'previous' | 'next'): Content {
  if (claim === undefined) return html`<span></span>`;
  const href = encodeURIComponent(claimAnchor(claim.id));
  return html`<a class="${direction}" href="#${href}">${pageTexts[direction]}</a>`;
}

function placesHtml({ evidence }: DocumentClaim, sources: ReadonlyMap<number, DocumentSource>): Content {
  if (evidence.length === 0) return html`<p>${pageTexts.noPassage}</p> `;
  const isFirst = ({ source }: DocumentEvidence, at: number): boolean =>
    evidence.findIndex((other) => other.source === source) === at;
  const [first, others] = [evidence.filter(isFirst), evidence.filter((place, at) => !isFirst(place, at))].map(
    (places) => places.map((place) => placeHtml(place, sources.get(place.source))),
  );
  if (others?.length === 0) return first ?? null;
  return html`${first ?? null}
    <details>
      <summary>${pageTexts.further(others?.length ?? 0)}</summary>
      ${others ?? null}
    </details> `;
}

function placeHtml(evidence: DocumentEvidence, source: DocumentSource | undefined): Html {
  const { source: n, page, place, ofSummary } = evidence;
  const where = place ?? (page === null ? null : pageTexts.onPage(page));
  const said = ofSummary ? pageTexts.ofSummary : '';
  return html`<figure data-n="${n}">
    ${quoteHtml(evidence)}
    <figcaption>
      ${numberLink(n)} ${source === undefined ? where : captionOf(source, where)}${said}
    </figcaption>
    ${withheldHtml(evidence, source)}
  </figure> `;
}

function withheldHtml(
  { withheld, start, end }: DocumentEvidence,
  source: DocumentSource | undefined,
): Content {
  if (withheld === undefined) return null;
  const url = source?.url ?? null;
  const link =
    url === null ? null : html` <a href="${url}" rel="noopener noreferrer">${pageTexts.readThere}</a>.`;
  return html`<p class="withheld">
    ${pageTexts.withheld}${withheldBy(withheld)}. ${pageTexts.standsAt(start, end)}${link}
  </p>`;
}

function withheldBy(withheld: NonNullable<DocumentEvidence['withheld']>): Content {
  if (withheld.by === 'setting') return pageTexts.leftOut;
  return withheld.licence === null
    ? pageTexts.noLicence
    : html`${pageTexts.licence[0]}<bdi>${withheld.licence}</bdi>${pageTexts.licence[1]}`;
}

/** Renders the source's Markdown and marks the quote by its offsets. */
function quoteHtml({ quote, before, after, start }: DocumentEvidence): Html {
  const text = markdownHtml(`${before}${quote}${after}`, {
    spans: [{ start: before.length, end: before.length + quote.length }],
    around: (_quote, said) => html`<mark>${said}</mark>`,
    words: (words) => words,
    headingLevel: null,
  });
  const cut = [
    start > before.length && WITHIN_A_SENTENCE.before.test(`${before}${quote}`) ? 'cut-before' : '',
    WITHIN_A_SENTENCE.after.test(`${quote}${after}`) ? 'cut-after' : '',
  ];
  return html`<blockquote class="${cut.join(' ').trim()}">${text}</blockquote>`;
}

const WITHIN_A_SENTENCE = { before: /^\s*[\p{Ll}\p{N},;)]/u, after: /[\p{L}\p{N},;(]\s*$/u };

function captionOf(source: DocumentSource, where: string | null): Html {
  const comma = where !== null && sourceCredits(source).length > 0 ? ', ' : '';
  return html`${sourceTitle(source)}${missingFullStop(source.title)}
  ${sourceCreditsHtml(source)}${comma}${where}`;
}

export function sourcesHtml({ sources, sourcesRead, claims, setAside, conflicts }: DocumentTree): Html {
  const sides = conflicts.flatMap(({ viewpoints }) => viewpoints);
  const named = new Set([...claims, ...setAside, ...sides].flatMap((one) => one.sources));
  const cited = sources.filter(({ timesCited }) => timesCited > 0);
  const others = sources.filter(({ n, timesCited }) => timesCited === 0 && named.has(n));
  return html`<section class="sources" id="sources" aria-labelledby="sources-title">
    <h2 id="sources-title">${reportTexts.headings.sources}</h2>
    ${cited.length === 0 ? html`<p>${reportTexts.noSource}</p>` : list(cited)}
    ${
      others.length === 0
        ? null
        : html`<h3>${pageTexts.named}</h3>
            ${list(others)}`
    }
    ${sourcesRead === undefined ? null : sourcesReadHtml(sourcesRead, sources)}
  </section> `;
}

/** A page with more rows is slow; report.json has the others. */
const MAX_ROWS = 1_000;

function sourcesReadHtml(
  { sources: read, more }: SourcesRead,
  cited: readonly DocumentSource[],
): Html | null {
  const all = read.length + more;
  if (all === 0) return null;
  const numbers = groupBy(cited, ({ sourceId }) => sourceId);
  const { sourcesRead: texts } = pageTexts;
  const shown = read.slice(0, MAX_ROWS);
  return html`<details id="sources-read">
    <summary><h3 id="sources-read-title">${texts.title} (${all})</h3></summary>
    <div class="scroll" role="group" aria-labelledby="sources-read-title" tabindex="0">
      <table>
        <thead>
          <tr>
            ${texts.columns.map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (source) =>
              html`<tr>
                <td><bdi>${source.title ?? source.file ?? texts.others}</bdi></td>
                <td><bdi>${placeOfSource(source)}</bdi></td>
                <td>${texts.status[source.status]}<bdi>${remarksOn(source)}</bdi></td>
                <td>
                  ${source.cited ? (numbers.get(source.sourceId ?? '') ?? []).map(({ n }) => numberLink(n)) : texts.notCited}
                </td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>
    ${all > shown.length ? html`<p>${texts.more(all - shown.length)}</p>` : null}
  </details> `;
}

function placeOfSource({ title, file, url }: ReadSource): string {
  return [title === undefined ? undefined : file, url].filter((place) => place !== undefined).join(' · ');
}

function remarksOn({ reason, pagesWithoutText, sameAs, nearlySameAs }: ReadSource): string {
  const { sourcesRead: texts } = pageTexts;
  const told = [
    reason,
    pagesWithoutText === undefined ? undefined : texts.pagesWithoutText(pagesWithoutText),
    sameAs === undefined ? undefined : texts.sameAs(sameAs),
    nearlySameAs === undefined ? undefined : texts.nearlySameAs(nearlySameAs),
  ].filter((remark) => remark !== undefined);
  return told.length === 0 ? '' : `: ${told.join('; ')}`;
}

function list(sources: readonly DocumentSource[]): Html {
  return html`<ol>
    ${byWork(sources).map(({ work, parts }) =>
      work === undefined
        ? parts.map(item)
        : html`<li class="work">
            ${reportTexts.partsOf(work.title)}
            <ol>
              ${parts.map(item)}
            </ol>
          </li> `,
    )}
  </ol>`;
}

function item(source: DocumentSource): Html {
  return html`<li id="${sourceAnchor(source.n)}" value="${source.n}">${sourceHtml(source)}</li> `;
}

function sourceHtml(source: DocumentSource): Content {
  const { accessedAt, quality, timesCited, bySummaryOnly, file } = source;
  const accessed = accessedAt === null ? '' : writingTexts.date(displayDate(accessedAt));
  const details = [
    timesCited === 0 ? '' : pageTexts.cited(timesCited),
    accessed === '' ? '' : reportTexts.accessed(accessed),
    bySummaryOnly ? pageTexts.summaryOnly : '',
  ].filter((detail) => detail !== '');
  const level = quality?.level === 'authoritative' ? reportTexts.authoritative : reportTexts.general;
  const named = file === null || file === source.title ? null : html` <bdi>${file}</bdi>.`;
  const rated = quality === null ? null : html` ${level} (<bdi>${quality.reason.replace(/\.$/, '')}</bdi>).`;
  return html`${sourceTitle(source)}<br /><small
      >${sourceCreditsHtml(source)}${missingFullStop(sourceCredits(source).at(-1) ?? '.')}${named}
      ${details.join(' ')}${rated}</small
    >`;
}

export function sourceTitle({ title, url }: DocumentSource): Html {
  const name = html`<bdi>${title}</bdi>`;
  return url === null ? name : html`<a href="${url}" rel="noopener noreferrer">${name}</a>`;
}

export function numberLink(n: number): Html {
  return html`<a class="cite" href="#${sourceAnchor(n)}">[${n}]</a>`;
}

export function sourceCreditsHtml(source: DocumentSource): Content {
  return sourceCredits(source).map((part, at) => html`${at === 0 ? '' : ', '}<bdi>${part}</bdi>`);
}

/** Omits a site or an author with the same name as the title. */
export function sourceCredits({ author, site, publishedAt, title }: DocumentSource): string[] {
  const date = publishedAt === null ? '' : displayDate(publishedAt);
  return [author ?? '', site ?? '', date].filter((part) => part !== '' && part !== title);
}

export function confidenceWords({
  confidence,
  notCrossChecked,
}: Pick<DocumentClaim, 'confidence' | 'notCrossChecked'>): string | null {
  if (confidence === null) return null;
  return capitalised(
    writingTexts.confidence(confidenceWord(confidence), notCrossChecked !== true, confidence),
  );
}

function caution({ verdict }: DocumentClaim): string | null {
  return verdict === 'supported' || verdict === 'inference' ? null : pageTexts.cautions[verdict];
}

/** Anchor of a claim's passage: `#claim-7`. This is the address that readers share. */
export function claimAnchor(claimId: string): string {
  return claimId.startsWith('claim-') ? claimId : `claim-${claimId}`;
}

function placeAnchor(claimId: string): string {
  return `in-text-${claimAnchor(claimId)}`;
}

export function partAnchor(partId: string): string {
  return `part-${partId}`;
}

function sourceAnchor(n: number): string {
  return `source-${n}`;
}

export function rejectedClaimAnchor(asideId: string): string {
  return `aside-${asideId}`;
}
