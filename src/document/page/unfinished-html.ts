import { runTexts } from '../../texts/run';
import { type RunSnapshot, snapshotFacts } from '../../core/run/run-snapshot';
import type { DocumentTree } from '../document';
import type { UnfinishedDocument, UnfinishedSection } from '../unfinished-document';
import { type Html, html } from './html';
import { partsHtml } from './parts-html';
import { sourcesHtml } from './sources-html';

/** Where a run is, in the words of a terminal. */
export function factsHtml(snapshot: RunSnapshot): Html {
  return html`<dl class="check">
    ${snapshotFacts(snapshot).map(
      ({ name, text }) =>
        html`<dt>${name}</dt>
          <dd dir="auto">${text}</dd> `,
    )}
  </dl> `;
}

/** The sections with where each is, and what is written so far. */
export function soFarHtml(unfinished: UnfinishedDocument): Html {
  const tree = treeSoFar(unfinished);
  return html`${sectionsHtml(unfinished.sections)}${partsHtml(tree)}${tree.sources.length === 0 ? null : sourcesHtml(tree)}`;
}

function sectionsHtml(sections: readonly UnfinishedSection[]): Html | null {
  if (sections.length === 0) return null;
  return html`<section aria-labelledby="sections-title">
    <h2 id="sections-title">${runTexts.page.sections}</h2>
    <ol>
      ${sections.map(({ title, state }) => html`<li><bdi>${title}</bdi>: ${runTexts.page.states[state]}</li> `)}
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
    engine: null,
    version: '',
  };
}
