import { faceTexts } from '../texts/face';
import { runTexts } from '../texts/run';
import type { GivenOutline } from '../contracts/report/given-outline';
import { type Html, html } from '../document/page/html';
import { runPath, servedPage, type Viewer } from './served-page';

export interface OutlineShown {
  runId: string;
  /** Null before it is planned. */
  outline: GivenOutline | null;
  /** How often it was changed, as it is shown: whoever saves it says so. */
  seen: number;
  isOpen: boolean;
  /** ISO 8601, until when the run waits; null where it waits for no approval, or for as long as it takes. */
  until: string | null;
  isAwaited: boolean;
  /** What somebody wanted whose outline was out of date. */
  refused: GivenOutline | null;
}

const NEW_ROWS = 2;

export function outlineEditor(viewer: Viewer, shown: OutlineShown): string {
  const { runId, outline, isOpen, until, isAwaited, refused } = shown;
  return servedPage(viewer, {
    title: faceTexts.outlineOf,
    main: html`<p><a href="${runPath(runId)}">${faceTexts.where}</a></p>
      ${refused === null ? null : html`<p class="told problem" role="alert">${faceTexts.changedMeanwhile}</p> `}
      ${
        isAwaited
          ? html`<p class="told">
              ${until === null ? faceTexts.waitsForIt : faceTexts.until(runTexts.time(until))}
            </p> `
          : null
      }
      ${
        outline === null
          ? html`<p>${faceTexts.noOutline}</p> `
          : isOpen && viewer.mayRun
            ? formHtml({ ...shown, outline })
            : html`<p>${faceTexts.settled}</p>
                ${listHtml(outline)}`
      }
      ${
        refused === null
          ? null
          : html`<section aria-labelledby="yours-title">
              <h2 id="yours-title">${faceTexts.yours}</h2>
              ${listHtml(refused)}
            </section> `
      }`,
  });
}

function formHtml({ runId, outline, seen, isAwaited }: OutlineShown & { outline: GivenOutline }): Html {
  const rows = [...outline.sections, ...Array.from({ length: NEW_ROWS }, () => ({ title: '' }))];
  return html`<form method="post" action="${runPath(runId, '/outline')}" class="rows">
    <p>${faceTexts.outlineHelp}</p>
    <input type="hidden" name="seen" value="${seen}" />
    <label
      >${faceTexts.theme}<textarea name="theme" rows="2" maxlength="1000">
${outline.overallTheme ?? ''}</textarea>
    </label>
    ${rows.map((section, at) => sectionHtml(section, at, outline.sections.length))}
    <div class="actions">
      <button class="main" name="do" value="save">${faceTexts.save}</button>
      ${isAwaited ? html`<button name="do" value="approve">${faceTexts.saveAndApprove}</button>` : null}
    </div>
  </form> `;
}

function sectionHtml(section: GivenOutline['sections'][number], at: number, known: number): Html {
  const isNew = at >= known;
  return html`<fieldset>
    <legend>${isNew ? faceTexts.added(at + 1) : faceTexts.section(at + 1)}</legend>
    <label
      >${faceTexts.title}<input name="title" maxlength="120" value="${section.title}" dir="auto"
    /></label>
    <label>${faceTexts.place}<input type="number" name="place" min="1" max="99" value="${at + 1}" /></label>
    <label
      >${faceTexts.about}<textarea name="about" rows="2" maxlength="1000" dir="auto">
${'description' in section ? (section.description ?? '') : ''}</textarea>
    </label>
    ${isNew ? null : html`<label class="tick"><input type="checkbox" name="drop" value="${at}" />${faceTexts.drop}</label>`}
    <input
      type="hidden"
      name="subsections"
      value="${JSON.stringify('subsections' in section ? (section.subsections ?? []) : [])}"
    />
  </fieldset> `;
}

function listHtml({ sections }: GivenOutline): Html {
  return html`<ol>
    ${sections.map(
      ({ title, description }) =>
        html`<li dir="auto">
          <strong>${title}</strong>${description === undefined ? null : html`<br />${description}`}
        </li> `,
    )}
  </ol> `;
}
