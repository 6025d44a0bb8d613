import { faceTexts } from '../texts/face';
import { html } from '../document/page/html';
import { runFields } from './run-fields';
import { servedPage, type Viewer } from './served-page';

/** The form that has a run started again and again. */
export function newSchedule(viewer: Viewer): string {
  return servedPage(viewer, {
    title: faceTexts.newSchedule,
    main: html`<form method="post" action="/schedules" enctype="multipart/form-data" class="rows">
      <label
        >${faceTexts.scheduleColumns.name}<input
          name="name"
          required
          maxlength="91"
          pattern="[A-Za-z0-9][A-Za-z0-9._-]*"
          title="${faceTexts.scheduleName}"
      /></label>
      <label
        >${faceTexts.every}<select name="everyMs">
          ${faceTexts.everyMs.map(([ms, text]) => html`<option value="${String(ms)}">${text}</option>`)}
        </select></label
      >
      <label>${faceTexts.cron}<input name="cron" maxlength="200" placeholder="30 6 * * 1-5" /></label>
      <label>${faceTexts.timeZone}<input name="timeZone" maxlength="100" placeholder="UTC" /></label>
      ${runFields()}
      <p><small>${faceTexts.scheduleSources}</small></p>
      <p><button class="main">${faceTexts.makeSchedule}</button></p>
    </form> `,
  });
}
