import { html } from '../document/page/html';
import { textsOf } from '../texts/texts';
import { runFields } from './run-fields';
import { servedPage, type Viewer } from './served-page';

/** The form that has a run started again and again. */
export function newSchedule(viewer: Viewer): string {
  const { face } = textsOf(viewer.language);
  return servedPage(viewer, {
    title: face.newSchedule,
    main: html`<form method="post" action="/schedules" enctype="multipart/form-data" class="rows">
      <label
        >${face.scheduleColumns.name}<input
          name="name"
          required
          maxlength="91"
          pattern="[A-Za-z0-9][A-Za-z0-9._-]*"
          title="${face.scheduleName}"
      /></label>
      <label
        >${face.every}<select name="everyMs">
          ${face.everyMs.map(([ms, text]) => html`<option value="${String(ms)}">${text}</option>`)}
        </select></label
      >
      <label>${face.cron}<input name="cron" maxlength="200" placeholder="30 6 * * 1-5" /></label>
      <label>${face.timeZone}<input name="timeZone" maxlength="100" placeholder="UTC" /></label>
      ${runFields(viewer)}
      <p><small>${face.scheduleSources}</small></p>
      <p><button class="main">${face.makeSchedule}</button></p>
    </form> `,
  });
}
