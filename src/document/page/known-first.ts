import { pageTexts } from '../../texts/page';
import type { DocumentClaim, DocumentTree } from '../document';
import { Verdict } from '../../contracts/verification/claim-verdict';
import { plainText } from '../markdown/plain-text';
import { asideAnchor, claimAnchor } from './anchors';
import { type Content, html, type Html } from './html';
import { numberLink } from './source-line';

export function knownFirst(tree: DocumentTree): Html {
  const { notices, setAside, conflicts, gaps } = tree;
  const doubted = tree.claims.filter(({ verdict }) => verdict !== 'supported');
  return html`<section class="first" id="first" aria-labelledby="first-title">
    <h2 id="first-title">${pageTexts.first}</h2>
    ${
      notices.length === 0
        ? null
        : html`<ul class="notices">
            ${notices.map((notice) => html`<li dir="auto">${notice}</li>`)}
          </ul>`
    }
    ${box(
      'set-aside',
      pageTexts.setAside,
      setAside.map((aside) => asideHtml(aside, tree)),
    )}
    ${box(
      'doubted',
      pageTexts.doubted,
      doubted.map((claim) => doubtedHtml(claim)),
    )}
    ${box(
      'disputed',
      pageTexts.disputed,
      conflicts.map((conflict) => conflictHtml(conflict)),
    )}
    ${box(
      'unanswered',
      pageTexts.unanswered,
      gaps.map((gap) => html`<li dir="auto">${gap}</li>`),
    )}
  </section> `;
}

const OPEN = 3;

function box(id: string, title: string, items: readonly Html[]): Content {
  if (items.length === 0) return null;
  const summary = html`<summary><h3 id="${id}-title">${title} (${items.length})</h3></summary>`;
  const list = html`<ul id="${id}" aria-labelledby="${id}-title">
    ${items}
  </ul>`;
  return items.length <= OPEN
    ? html`<details open>${summary}${list}</details> `
    : html`<details>${summary}${list}</details> `;
}

function asideHtml(
  { id, text, reason, partId, sources }: DocumentTree['setAside'][number],
  { parts }: DocumentTree,
): Html {
  const part = parts.find((one) => one.id === partId)?.title;
  return html`<li id="${asideAnchor(id)}">
    <q dir="auto">${text}</q> ${sources.map(numberLink)}
    <p class="why">
      <bdi>${reason}</bdi>${part === undefined ? null : html`${pageTexts.stoodIn}“<bdi>${part}</bdi>”.`}
    </p>
  </li> `;
}

function doubtedHtml({ id, text, verdict, reason }: DocumentClaim): Html {
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

export function verdictCounts(claims: readonly DocumentClaim[]): { verdict: Verdict; amount: number }[] {
  return Verdict.options.flatMap((verdict) => {
    const amount = claims.filter((claim) => claim.verdict === verdict).length;
    return amount === 0 ? [] : [{ verdict, amount }];
  });
}
