import { shownDate } from '../../core/writing/as-of';
import type { DocumentTree } from '../document';
import { partAnchor } from './anchors';
import { filtersHtml } from './filters-html';
import { type Html, html } from './html';
import { knownFirst } from './known-first';
import { pageFrame } from './page-frame';
import { partsHtml } from './parts-html';
import { passagesHtml } from './passages-html';
import { extent, picturesHtml } from './pictures-html';
import { PAGE_SCRIPT } from './script';
import { sourcesHtml } from './sources-html';

const KINDS = { report: 'Report', answer: 'Answer', brief: 'Brief' } as const;

/**
 * The document as one page that needs nothing else and asks for nothing: every claim leads to its passage. It can be read without
 * the script.
 */
export function htmlPage(tree: DocumentTree): string {
  return pageFrame({
    title: tree.title,
    generator: `Colligate ${tree.version}`,
    script: PAGE_SCRIPT,
    header: [headHtml(tree), contentsHtml(tree)],
    main: html`${knownFirst(tree)}${filtersHtml(tree)}${partsHtml(tree)}${followUpsHtml(tree)}${picturesHtml(tree)}${sourcesHtml(tree)}${passagesHtml(tree)}`,
    footer: html`Made by Colligate ${tree.version} (${tree.engine}), run <bdi>${tree.id}</bdi>.`,
  });
}

function headHtml(tree: DocumentTree): Html {
  const { kind, title, question, asOf } = tree;
  const date = asOf === null ? '' : ` as of ${shownDate(asOf)}`;
  return html`<header>
    <p class="kind">${KINDS[kind]}${date}: ${extent(tree)}</p>
    <h1 dir="auto">${title}</h1>
    ${question === title ? null : html`<p class="question" dir="auto">${question}</p> `}
  </header> `;
}

function contentsHtml({ parts, claims }: DocumentTree): Html {
  const others = [
    ...(claims.length === 0 ? [] : [{ anchor: 'pictures', title: 'The evidence at a glance' }]),
    { anchor: 'sources', title: 'Sources' },
  ];
  const entries = [...parts.map(({ id, title }) => ({ anchor: partAnchor(id), title })), ...others];
  return html`<nav class="contents" aria-label="Contents">
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
    <h2 id="follow-ups-title">What to ask next</h2>
    <ul>
      ${followUps.map((question) => html`<li dir="auto">${question}</li> `)}
    </ul>
  </section> `;
}
