import { shownDate } from '../../core/writing/as-of';
import type { DocumentTree } from '../document';
import { partAnchor } from './anchors';
import { filtersHtml } from './filters-html';
import { Html, html } from './html';
import { knownFirst } from './known-first';
import { partsHtml } from './parts-html';
import { passagesHtml } from './passages-html';
import { extent, picturesHtml } from './pictures-html';
import { contentSecurityPolicy } from './policy';
import { PAGE_SCRIPT } from './script';
import { sourcesHtml } from './sources-html';
import { PAGE_STYLE } from './style';

const KINDS = { report: 'Report', answer: 'Answer', brief: 'Brief' } as const;

/**
 * The document as one page that needs nothing else and asks for nothing: every claim leads to its passage. It can be read without
 * the script.
 */
export function htmlPage(tree: DocumentTree): string {
  const policy = contentSecurityPolicy(PAGE_STYLE, PAGE_SCRIPT);
  // The policy allows what its hash is of, to the letter: nothing in these two is escaped, or set on a line of its own.
  const [style, script] = [
    new Html(`<style>${PAGE_STYLE}</style>`),
    new Html(`<script>${PAGE_SCRIPT}</script>`),
  ];
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Html(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="generator" content="Colligate ${tree.version}" />
        <title>${tree.title}</title>
        ${style}
      </head>
      <body>
        <a class="skip" href="#text">Skip to the text</a>
        ${headHtml(tree)}${contentsHtml(tree)}
        <main id="text" tabindex="-1">
          ${knownFirst(tree)}${filtersHtml(tree)}${partsHtml(tree)}${followUpsHtml(tree)}${picturesHtml(tree)}${sourcesHtml(tree)}${passagesHtml(tree)}
        </main>
        <footer>
          <p>Made by Colligate ${tree.version} (${tree.engine}), run <bdi>${tree.id}</bdi>.</p>
        </footer>
        ${script}
      </body>
    </html> `.markup;
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
