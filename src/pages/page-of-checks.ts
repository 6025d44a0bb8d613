import { faceTexts } from '../texts/face';
import { html } from '../document/page/html';
import { servedPage, type Viewer } from './served-page';

/** One thing that was looked at: a setting, a server, a folder. */
export interface Check {
  name: string;
  state: 'ok' | 'note' | 'problem';
  detail: string;
  /** What to do about it, or null. */
  advice: string | null;
}

/** What is configured, reachable and missing, and what to do about each. */
export function pageOfChecks(viewer: Viewer, checks: readonly Check[]): string {
  const { name, state, detail } = faceTexts.checkColumns;
  return servedPage(viewer, {
    title: faceTexts.service,
    main: html`<p><small>${faceTexts.checksHelp}</small></p>
      <div class="scroll" tabindex="0" role="region" aria-label="${faceTexts.service}">
        <table>
          <thead>
            <tr>
              ${[name, state, detail].map((title) => html`<th scope="col">${title}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${checks.map(
              (check) =>
                html`<tr>
                  <td>${check.name}</td>
                  <td>${faceTexts.checkStates[check.state]}</td>
                  <td>
                    ${check.detail}${check.advice === null ? null : html`<br /><small>${check.advice}</small>`}
                  </td>
                </tr> `,
            )}
          </tbody>
        </table>
      </div> `,
  });
}
