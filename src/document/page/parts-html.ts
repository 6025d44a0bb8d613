import { pageTexts } from '../../texts/page';
import type { DocumentClaim, DocumentPart, DocumentSource, DocumentTree } from '../document';
import { claimAnchor, partAnchor, placeAnchor, sourceAnchor } from './anchors';
import { type Content, html, type Html } from './html';
import { markdownHtml } from './markdown-html';
import { caution } from './verdict-words';

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
    words: (words, claim) => citing(words, sources, claim),
    headingLevel: 3,
  });
  const anchor = partAnchor(id);
  return html`<section class="part" id="${anchor}" aria-labelledby="${anchor}-title">
    <h2 id="${anchor}-title" dir="auto">${title}</h2>
    ${text}
  </section> `;
}

/** The claims of a part; a text that has none of its own may repeat some of the others', or their quotes, as a summary does. */
function claimsIn({ id, markdown }: DocumentPart, claims: readonly DocumentClaim[]): DocumentClaim[] {
  const own = claims.filter(({ partId }) => partId === id);
  if (own.length > 0) return own;
  let from = 0;
  return [...wholeIn(markdown, claims), ...quotedIn(markdown, claims)]
    .sort((one, other) => one.start - other.start || other.end - one.end)
    .filter(({ start, end }) => {
      const isApart = start >= from;
      if (isApart) from = end;
      return isApart;
    });
}

function wholeIn(markdown: string, claims: readonly DocumentClaim[]): DocumentClaim[] {
  return claims.flatMap((claim) => {
    const start = markdown.indexOf(claim.text);
    return start < 0 ? [] : [{ ...claim, start, end: start + claim.text.length }];
  });
}

/** A quote as it stands in a claim; a shorter one may stand elsewhere by chance. */
const QUOTE = /“[^“”]{30,}”/g;

/** The quotes of a text that some claim has as well, whole or with ellipses for what is left out. */
function quotedIn(markdown: string, claims: readonly DocumentClaim[]): DocumentClaim[] {
  return [...markdown.matchAll(QUOTE)].flatMap(({ 0: said, index: start }) => {
    const parts = said.slice(1, -1).split('…');
    const claim = claims.find(({ text }) => followEachOther(text, parts));
    return claim === undefined ? [] : [{ ...claim, start, end: start + said.length }];
  });
}

function followEachOther(text: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = text.indexOf(part.trim(), from);
    from = at + part.trim().length;
    return at >= 0;
  });
}

/** One faint line under a conclusion, one word behind what is unchecked; a summary says that in its text. */
function claimLink(claim: DocumentClaim, said: Content, place: { isFirst: boolean; isOwn: boolean }): Html {
  const href = encodeURIComponent(claimAnchor(claim.id));
  const warned = claim.restates === true ? null : caution(claim);
  const marks = place.isFirst && warned !== null ? html` <small class="caution">${warned}</small>` : null;
  const id = place.isFirst && place.isOwn ? html` id="${placeAnchor(claim.id)}"` : null;
  return claim.verdict === 'inference'
    ? html`<a class="claim concluded" title="${pageTexts.conclusion}" ${id} href="#${href}">${said}</a>`
    : html`<a class="claim" ${id} href="#${href}">${said}${marks}</a>`;
}

/** Numbers of sources: within a claim its link leads to the passages. */
function citing(
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
