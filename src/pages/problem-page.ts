import { html } from '../document/page/html';
import { textsOf } from '../texts/texts';
import { servedPage, type Viewer } from './served-page';

/** A refusal in the sentences that every face has for it. */
export function problemPage(viewer: Viewer, problems: readonly string[]): string {
  const { face } = textsOf(viewer.language);
  return servedPage(viewer, {
    title: face.problem,
    main: html`<div class="told problem" role="alert">
        ${problems.map((problem) => html`<p dir="auto">${problem}</p> `)}
      </div>
      <p><a href="/">${face.back}</a></p> `,
  });
}
