import { faceTexts } from '../texts/face';
import { runTexts } from '../texts/run';
import type { DiffFinding, ReportDiff } from '../contracts/report/report-diff';
import { type Content, type Html, html } from '../document/page/html';
import { runPath, servedPage, type Viewer } from './served-page';

/** What a report says that an earlier one did not, each finding linked to its place in the report that has it. */
export function diffPage(viewer: Viewer, diff: ReportDiff): string {
  const { before, after, findings, conflicts, gaps, notes } = diff;
  const finding = (of: { id: string }, one: DiffFinding): Html =>
    html`<a href="${runPath(of.id, '/result')}#${encodeURIComponent(one.claimId)}"
        ><bdi>${one.statement}</bdi></a
      >
      <small dir="auto">${one.sources.map(({ title }) => title).join('; ')}</small>`;
  const groups: { title: string; items: Content[] }[] = [
    { title: faceTexts.groups.new, items: findings.new.map((one) => finding(after, one)) },
    {
      title: faceTexts.groups.changed,
      items: findings.changed.map(
        (one) =>
          html`${faceTexts.before}: ${finding(before, one.before)}<br />${faceTexts.after}:
            ${finding(after, one.after)}`,
      ),
    },
    { title: faceTexts.groups.withdrawn, items: findings.withdrawn.map((one) => finding(before, one)) },
    { title: faceTexts.groups.conflictsOpened, items: conflicts.opened.map(({ topic }) => topic) },
    { title: faceTexts.groups.conflictsClosed, items: conflicts.closed.map(({ topic }) => topic) },
    { title: faceTexts.groups.gapsOpened, items: gaps.opened },
    { title: faceTexts.groups.gapsClosed, items: gaps.closed },
    { title: faceTexts.groups.newlyQuoted, items: findings.newlyQuoted.map((one) => finding(after, one)) },
    { title: faceTexts.groups.notQuoted, items: findings.notQuoted.map((one) => finding(before, one)) },
  ].filter(({ items }) => items.length > 0);
  const named = ({ id, question, asOf }: ReportDiff['before']): Html =>
    html`<a href="${runPath(id)}"><bdi>${question}</bdi></a> (${runTexts.time(asOf)})`;
  return servedPage(viewer, {
    title: faceTexts.differs,
    main: html`<dl class="check">
        <dt>${faceTexts.before}</dt>
        <dd>${named(before)}</dd>
        <dt>${faceTexts.after}</dt>
        <dd>${named(after)}</dd>
      </dl>
      ${notes.map((note) => html`<p class="told">${note}</p> `)}
      ${groups.length === 0 ? html`<p>${faceTexts.same}</p> ` : null}
      ${groups.map(
        ({ title, items }, at) =>
          html`<section aria-labelledby="group-${at}">
            <h2 id="group-${at}">${title}</h2>
            <ul>
              ${items.map((item) => html`<li dir="auto">${item}</li> `)}
            </ul>
          </section> `,
      )}`,
  });
}
