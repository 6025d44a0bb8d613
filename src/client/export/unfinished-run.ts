import { reportTexts } from '../../texts/report';
import { SUMMARY } from '../../core/report/summary-part';
import { numberCitations, renderCitations } from '../../core/report/citation-numbers';
import { sectionTexts } from '../../core/report/streamed-texts';
import { runSnapshot } from '../../core/run/run-snapshot';
import { citedIds } from '../../core/text/citation-marks';
import { BriefMaterial } from '../../contracts/brief/brief-material';
import type { RunEvent } from '../../contracts/run/event';
import { citedSource } from '../../document/kinds/cited-source';
import type { UnfinishedDocument, UnfinishedSection } from '../../document/unfinished-document';
import { waitUntilClosed } from '../closed-run';
import { createRunHandle } from '../create-run-handle';
import type { DescribedRun, StartRecords } from '../described-run';
import { readArtifact, readPassResult } from '../pass-results/read-pass-result';

export async function unfinishedRun(records: StartRecords, run: DescribedRun): Promise<UnfinishedDocument> {
  const { runId, memo } = run;
  const progress = await createRunHandle(records, runId).progress();
  const failure =
    progress.status === 'failed' ? ((await waitUntilClosed(records.client, runId)).message ?? null) : null;
  const events = await records.events.read(runId);
  const sections = sectionsOf(events);
  const known = new Map((await knownSources(records, run)).map((source) => [source.id, source]));
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

/** Those of the newest outline in its order, and the summary where that has a text; an answer's marks name passages, and wait. */
function sectionsOf(events: readonly RunEvent[]): UnfinishedSection[] {
  const texts = sectionTexts(events);
  const outline = events.findLast((event) => event.type === 'outline-generated')?.payload.sections ?? [];
  const read = new Set(
    events.flatMap((event) => (event.type === 'deep-dive-section' ? [event.payload.sectionId] : [])),
  );
  const all =
    texts.has(SUMMARY) && outline.every(({ id }) => id !== SUMMARY)
      ? [...outline, { id: SUMMARY, title: reportTexts.headings.summary }]
      : outline;
  return all.map(({ id, title: planned }) => {
    const title = planned;
    const told = texts.get(id);
    const state = told === undefined ? (read.has(id) ? 'read' : 'to come') : 'being written';
    if (told?.isWritten !== true || told.start > 0) return { id, title, state, markdown: null };
    return { id, title, state: 'written', markdown: told.text };
  });
}

interface KnownSource extends Omit<Parameters<typeof citedSource>[0], 'n' | 'sourceId'> {
  id: string;
}

async function knownSources(
  { content }: Pick<StartRecords, 'content'>,
  { kind, memo: { passRefs } }: DescribedRun,
): Promise<readonly KnownSource[]> {
  if (kind === 'report') return (await readPassResult(content, passRefs, 'gather'))?.sources ?? [];
  return kind === 'brief'
    ? ((await readArtifact(content, passRefs.material, BriefMaterial))?.sources ?? [])
    : [];
}
