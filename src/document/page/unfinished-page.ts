import { CLOSED_STATUSES } from '../../core/run/closed-statuses';
import { shownTime, snapshotFacts } from '../../core/run/run-snapshot';
import type { DocumentTree } from '../document';
import type { UnfinishedDocument, UnfinishedSection } from '../unfinished-document';
import { type Html, html } from './html';
import { pageFrame } from './page-frame';
import { partsHtml } from './parts-html';
import { sourcesHtml } from './sources-html';

/** The page of a run that has no result: where it is, in the words of a terminal, and what is written so far. It has no script. */
export function unfinishedPage(unfinished: UnfinishedDocument): string {
  const { snapshot, question, sections } = unfinished;
  const tree = treeSoFar(unfinished);
  return pageFrame({
    language: tree.language,
    title: question,
    generator: null,
    script: '',
    header: html`<header>
      <p class="kind">No finished ${snapshot.kind}</p>
      <h1 dir="auto">${question}</h1>
    </header> `,
    main: html`${whereHtml(unfinished)}${sectionsHtml(sections)}${partsHtml(tree)}${tree.sources.length === 0 ? null : sourcesHtml(tree)}`,
    footer: html`Made by Colligate at ${shownTime(unfinished.madeAt)}, run <bdi>${snapshot.runId}</bdi>.`,
  });
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
    language: 'en',
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
    engine: null,
    version: '',
  };
}
