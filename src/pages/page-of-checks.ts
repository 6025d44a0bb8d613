import { html } from '../document/page/html';
import { textsOf } from '../texts/texts';
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
  const { face } = textsOf(viewer.language);
  const { name, state, detail } = face.checkColumns;
  return servedPage(viewer, {
    title: face.service,
    main: html`<p><small>${face.checksHelp}</small></p>
      <div class="scroll" tabindex="0" role="region" aria-label="${face.service}">
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
                  <td>${face.checkStates[check.state]}</td>
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
