import { faceTexts } from '../texts/face';
import { runTexts } from '../texts/run';
import type { RunKind } from '../contracts/kinds';
import { html } from '../document/page/html';
import { runFields } from './run-fields';
import { servedPage, type Viewer } from './served-page';

/** What some runs of a kind took: the least and the most of them. */
export interface LatestRuns {
  kind: RunKind;
  runs: number;
  costUsd: [number, number];
  minutes: [number, number];
}

/** The form of a new run. `key` makes it one run, however often it is sent. */
export function startPage(
  viewer: Viewer,
  { key, latest }: { key: string; latest: readonly LatestRuns[] },
): string {
  const spent = latest.map(({ kind, runs, ...took }) => faceTexts.spent(runTexts.kinds[kind], runs, took));
  return servedPage(viewer, {
    title: faceTexts.start,
    main: html`<form method="post" action="/start" enctype="multipart/form-data" class="rows">
      <input type="hidden" name="key" value="${key}" />
      ${runFields()}
      ${spent.length === 0 ? '' : html`<p><small>${faceTexts.latest}: ${spent.join('; ')}</small></p>`}
      <p><button class="main">${faceTexts.started}</button></p>
    </form> `,
  });
}
