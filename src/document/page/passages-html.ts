import { pageTexts } from '../../texts/page';
import type { DocumentClaim, DocumentEvidence, DocumentSource, DocumentTree } from '../document';
import { stopBehind } from '../../core/writing/ended';
import { plainText } from '../markdown/plain-text';
import { claimAnchor, placeAnchor } from './anchors';
import { type Content, html, type Html } from './html';
import { markdownHtml } from './markdown-html';
import { numberLink, sourceTitle, sourceWhose, whoseOf } from './source-line';
import { confidenceWords } from './verdict-words';

/**
 * What each claim rests on. On a screen the one is shown whose address was gone to, beside the text; on paper all of them are, at
 * the end.
 */
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

/** The first place of each source is shown; further ones of the same sources can be opened. */
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

/** As the source's text reads, not as its Markdown is written; what is marked in it is the quote, by its place. */
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

/** What is shown begins, or ends, within a sentence, as far as letters tell. */
const WITHIN_A_SENTENCE = { before: /^\s*[\p{Ll}\p{N},;)]/u, after: /[\p{L}\p{N},;(]\s*$/u };

function captionOf(source: DocumentSource, where: string | null): Html {
  const comma = where !== null && whoseOf(source).length > 0 ? ', ' : '';
  return html`${sourceTitle(source)}${stopBehind(source.title)} ${sourceWhose(source)}${comma}${where}`;
}
