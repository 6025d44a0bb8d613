import { faceTexts } from '../texts/face';
import { html } from '../document/page/html';
import { servedPage, type Viewer } from './served-page';

export function problemPage(viewer: Viewer, problems: readonly string[]): string {
  return servedPage(viewer, {
    title: faceTexts.problem,
    main: html`<div class="told problem" role="alert">
        ${problems.map((problem) => html`<p dir="auto">${problem}</p> `)}
      </div>
      <p><a href="/">${faceTexts.back}</a></p> `,
  });
}
