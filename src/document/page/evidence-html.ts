import { pageTexts } from '../../texts/page';
import { reportTexts } from '../../texts/report';
import { figuresOf } from '../../reading/statements/statement-figures';
import type { DocumentTree } from '../document';
import { type EvidencePart, type EvidenceRow, evidenceParts, isDisputed } from '../evidence-rows';
import { claimAnchor } from './anchors';
import { type Content, html, type Html } from './html';
import { numberLink, sourceTitle } from './source-line';

export const EVIDENCE = 'evidence';

/** The evidence beside a model's prose: a table a part, in which each quote leads to the passage of the claim that rests on it. */
export function evidenceHtml(tree: DocumentTree): Html | null {
  const parts = evidenceParts(tree);
  if (parts.length === 0) return null;
  return html`<section class="part" id="${EVIDENCE}" aria-labelledby="${EVIDENCE}-title">
    <h2 id="${EVIDENCE}-title">${reportTexts.headings.evidence}</h2>
    ${parts.map((part, at) => tableOf(part, `${EVIDENCE}-${at + 1}`))}
  </section> `;
}

function tableOf({ title, rows }: EvidencePart, id: string): Html {
  return html`<h3 id="${id}" dir="auto">${title}</h3>
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
    confidence,
  } = row;
  const dispute = isDisputed(row) ? html` <small class="caution">${pageTexts.isDisputed}</small>` : null;
  const href = encodeURIComponent(claimAnchor(claim.id));
  const remark = confidence === null ? null : html` <small class="caution">${confidence}</small>`;
  return html`<a class="claim" href="#${href}">“${withFigures(quote)}”</a>${dispute}${remark}`;
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

function sourceHtml({ evidence: { page: n, place }, source, name }: EvidenceRow): Content {
  const where = place ?? (n === null ? null : pageTexts.onPage(n));
  return html`${numberLink(source.n)}
    <small class="beside"
      >${name === '' ? null : html`<bdi>${name}</bdi>. `}${sourceTitle(source)}${where === null ? null : html`, <bdi>${where}</bdi>`}</small
    >`;
}
