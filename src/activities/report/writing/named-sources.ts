import { citedIds } from '../../../core/text/citation-marks';
import { bearingSources } from '../../../core/report/bearing-sources';
import type { ReportParts } from '../../../core/report/report-parts';
import { nearestSources } from '../../../core/report/unanswered';

type NamingParts = Pick<ReportParts, 'outline' | 'findings' | 'conflicts' | 'drafts' | 'frame'>;

/** The sources that a report of these parts, or who judges it, may name: no other has to be known when it is put together. */
export function namedSources({ outline, findings, conflicts, drafts, frame }: NamingParts): Set<string> {
  const texts = [...drafts.map(({ draft }) => draft.markdown), ...(frame?.bullets ?? [])];
  const checked = [...drafts.map(({ draft }) => draft.checked), frame?.checked];
  return new Set([
    ...bearingSources(outline),
    ...(nearestSources({ outline, noAnswer: true }) ?? []),
    ...findings.flatMap((section) =>
      section.findings.flatMap(({ citations, evidence }) => [
        ...citations,
        ...evidence.map(({ sourceId }) => sourceId),
      ]),
    ),
    ...conflicts.flatMap(({ viewpoints }) => viewpoints.flatMap(({ citations }) => citations)),
    ...texts.flatMap((text) => citedIds(text)),
    ...checked.flatMap((text) => [
      ...(text?.sentences ?? []).flatMap((sentence) => citedIds(sentence.text)),
      ...(text?.setAside ?? []).flatMap(({ text: claim, sourceIds }) => [...citedIds(claim), ...sourceIds]),
    ]),
  ]);
}
