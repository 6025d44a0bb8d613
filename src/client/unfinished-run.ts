import type { RunEvent } from '../contracts/event';
import { runSnapshot } from '../contracts/run-status';
import { citedIds } from '../lib/citation-marks';
import { numberCitations, renderCitations, sectionTexts } from '../report/citations';
import type { UnfinishedDocument, UnfinishedSection } from '../report/document/document';
import { citedSource } from '../report/document/document-builder';
import { reportTexts, SUMMARY_ID } from '../report/report-texts';
import { createRunHandle, waitUntilClosed } from './run-handle';
import type { DescribedRun, StartRecords } from './run-records';
import { listRunSources } from './run-sources';

/** The finished sections of a run so far, with the sources that they cite. */
export async function unfinishedRun(records: StartRecords, run: DescribedRun): Promise<UnfinishedDocument> {
  const { runId, memo } = run;
  const progress = await createRunHandle(records, runId).progress();
  const failure =
    progress.status === 'failed' ? ((await waitUntilClosed(records.client, runId)).message ?? null) : null;
  const events = await records.events.read(runId);
  const sections = unfinishedSections(events);
  // An answer has no sections, which alone cite here.
  const sources = run.kind === 'answer' ? [] : await listRunSources(records, run);
  const known = new Map(sources.map((source) => [source.id, source]));
  const texts = sections.flatMap(({ markdown }) => markdown ?? []);
  const numbers = numberCitations(texts, known);
  const cited = texts.flatMap((text) => citedIds(text));
  return {
    snapshot: runSnapshot(progress, failure),
    question: memo.question,
    sections: sections.map((section) =>
      section.markdown === null
        ? section
        : { ...section, markdown: renderCitations(section.markdown, numbers) },
    ),
    sources: [...numbers].flatMap(([id, n]) => {
      const source = known.get(id);
      const timesCited = cited.filter((other) => other === id).length;
      return source === undefined ? [] : [citedSource({ ...source, n, sourceId: id }, timesCited, true)];
    }),
  };
}

/** The sections of the latest outline in order, then the summary if it has a text. Empty for an answer. */
function unfinishedSections(events: readonly RunEvent[]): UnfinishedSection[] {
  const texts = sectionTexts(events);
  const outline = events.findLast((event) => event.type === 'outline-generated')?.payload.sections ?? [];
  const read = new Set(
    events.flatMap((event) => (event.type === 'deep-dive-section' ? [event.payload.sectionId] : [])),
  );
  const all =
    texts.has(SUMMARY_ID) && outline.every(({ id }) => id !== SUMMARY_ID)
      ? [...outline, { id: SUMMARY_ID, title: reportTexts.headings.summary }]
      : outline;
  return all.map(({ id, title }) => {
    const text = texts.get(id);
    const state = text === undefined ? (read.has(id) ? 'read' : 'to come') : 'being written';
    if (text?.isWritten !== true || text.start > 0) return { id, title, state, markdown: null };
    return { id, title, state: 'written', markdown: text.text };
  });
}
