import { CLOSED_STATUSES } from '../../core/run/closed-statuses';
import { shownTime, snapshotFacts } from '../../core/run/run-snapshot';
import type { DocumentTree } from '../document';
import type { UnfinishedDocument, UnfinishedSection } from '../unfinished-document';
import { Html, html } from './html';
import { partsHtml } from './parts-html';
import { contentSecurityPolicy } from './policy';
import { sourcesHtml } from './sources-html';
import { PAGE_STYLE } from './style';

/** The page of a run that has no result: where it is, in the words of a terminal, and what is written so far. It has no script. */
export function unfinishedPage(unfinished: UnfinishedDocument): string {
  const { snapshot, question, sections } = unfinished;
  const tree = treeSoFar(unfinished);
  // The policy allows what its hash is of, to the letter.
  const style = new Html(`<style>${PAGE_STYLE}</style>`);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="${new Html(contentSecurityPolicy(PAGE_STYLE, ''))}"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${question}</title>
        ${style}
      </head>
      <body>
        <a class="skip" href="#text">Skip to the text</a>
        <header>
          <p class="kind">No finished ${snapshot.kind}</p>
          <h1 dir="auto">${question}</h1>
        </header>
        <main id="text" tabindex="-1">
          ${whereHtml(unfinished)}${sectionsHtml(sections)}${partsHtml(tree)}${tree.sources.length === 0 ? null : sourcesHtml(tree)}
        </main>
        <footer>
          <p>Made by Colligate at ${shownTime(unfinished.madeAt)}, run <bdi>${snapshot.runId}</bdi>.</p>
        </footer>
      </body>
    </html> `.markup;
}

function whereHtml({ snapshot, madeAt }: UnfinishedDocument): Html {
  return html`<section class="first" aria-labelledby="where-title">
    <h2 id="where-title">Where the run is</h2>
    <p>
      ${
        CLOSED_STATUSES.has(snapshot.status)
          ? html`The run has ended, is ${snapshot.status}, and left no ${snapshot.kind}.`
          : html`The run goes on. This page tells of ${shownTime(madeAt)}, and does not change.`
      }
    </p>
    <dl class="check">
      ${snapshotFacts(snapshot).map(
        ({ label, text }) =>
          html`<dt>${label}</dt>
            <dd dir="auto">${text}</dd> `,
      )}
    </dl>
  </section> `;
}

function sectionsHtml(sections: readonly UnfinishedSection[]): Html | null {
  if (sections.length === 0) return null;
  return html`<section aria-labelledby="sections-title">
    <h2 id="sections-title">Sections</h2>
    <ol>
      ${sections.map(({ title, state }) => html`<li><bdi>${title}</bdi>: ${state}</li> `)}
    </ol>
  </section> `;
}

/** What is written, as a document of which nothing is judged yet. */
function treeSoFar({ snapshot, question, sections, sources }: UnfinishedDocument): DocumentTree {
  return {
    kind: snapshot.kind,
    id: snapshot.runId,
    title: question,
    question,
    notices: [],
    parts: sections.flatMap(({ id, title, markdown }) =>
      markdown === null ? [] : [{ id, title, markdown }],
    ),
    claims: [],
    setAside: [],
    conflicts: [],
    gaps: [],
    followUps: [],
    sources,
    asOf: null,
    engine: '',
    version: '',
  };
}
