import type { BriefMaterial } from '../../../contracts/brief/brief-material';
import type { BriefPlan } from '../../../contracts/brief/brief-plan';
import { WrittenText } from '../../../contracts/report/written-text';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { SourceWindow } from '../../../contracts/source/passage';
import { readBriefText } from '../../../briefs/read-brief-text';
import type { TemplatePart } from '../../../briefs/template';
import { textMarkdown, textOfParts } from '../../../core/written-text/read-text';
import { wantedOf as instructionOf } from '../../../steps/write-text/brief-task';
import { writeText as writeTextStep, type WriteTextInput } from '../../../steps/write-text/write-text';
import { readIfAny, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import { runStep, type Spent } from '../../shared/run-step';
import { openPartStreams } from '../../shared/written-text/part-streams';
import type { BriefFacts } from '../brief-facts';
import { fitsWindow, PART_WRITER, readPlanned, sourceWindows, summariesOf, wantedOf } from './brief-material';
import { wordsForParts, wordsOfParts } from './words-for-parts';

export interface WriteBriefActivityInput {
  run: BriefFacts;
  materialRef: ArtifactRef;
  planRef: ArtifactRef;
  /** The text so far; null where nothing is written. */
  textRef: ArtifactRef | null;
  /** The part to write; null for all. */
  partId: string | null;
  /** True where the title is written as well. */
  asksTitle: boolean;
}

export interface WrittenBrief extends Spent {
  textRef: ArtifactRef;
  /** The ids of the parts that the text has. */
  parts: string[];
}

/** Has a model write a brief, or its next part behind the text so far, and streams it by parts. */
export async function writeBrief(
  ports: ActivityPorts,
  input: WriteBriefActivityInput,
  signal: AbortSignal,
): Promise<WrittenBrief> {
  const { run, partId, asksTitle } = input;
  const { material, plan } = await readPlanned(ports, input);
  const soFar = await readIfAny(ports.content, input.textRef, WrittenText);
  const all = await wantedOf(run, material);
  const parts = partId === null ? all : all.filter(({ id }) => id === partId);
  const step = stepInput(run, { material, plan, soFar }, { all, parts, asksTitle });
  const read = (markdown: string): WrittenText =>
    readBriefText(markdown, { parts, title: soFar?.title ?? plan.title });
  const streams = openPartStreams(ports, run.runId, PART_WRITER, (markdown) => read(markdown).parts);
  const place = { pass: PART_WRITER.pass, ...(partId === null ? {} : { section: partId }) };
  const { output, usage, warnings } = await runStep(ports, run, writeTextStep, step, {
    place,
    signal,
    onText: (text) => streams.write(text),
  });
  const written = read(output.markdown);
  await streams.finish(written.parts);
  const texts = new Map([...(soFar?.parts ?? []), ...written.parts].map((part) => [part.id, part]));
  const text = textOfParts(
    written.title,
    all.flatMap(({ id }) => texts.get(id) ?? []),
  );
  return {
    textRef: await storeArtifact(ports.content, run.runId, text),
    parts: text.parts.map(({ id }) => id),
    usage,
    warnings,
  };
}

function stepInput(
  run: BriefFacts,
  { material, plan, soFar }: { material: BriefMaterial; plan: BriefPlan; soFar: WrittenText | null },
  { all, parts, asksTitle }: { all: TemplatePart[]; parts: TemplatePart[]; asksTitle: boolean },
): WriteTextInput {
  const words = wordsOfParts(plan, wordsForParts(run.brief, material));
  const wanted = parts.map(({ id, title, instruction }) => ({
    heading: title,
    instruction: instructionOf(id, instruction),
    words: words.get(id) ?? 1,
  }));
  return {
    question: run.question,
    sources: sourcesFor(run, material, soFar, parts),
    plan: { sections: [], isGiven: false },
    conflicts: material.conflicts,
    gaps: [],
    works: [],
    targetWords: wanted.reduce((sum, part) => sum + part.words, 0),
    form: {
      kind: 'brief',
      parts: wanted,
      headings: all.map(({ title }) => title),
      summaries: summariesOf(material),
      soFar: soFar === null ? '' : textMarkdown(soFar),
      asksTitle,
    },
  };
}

/** All statements where they fit; else those of the subtopic. The opening and the end of a long brief say what its text says. */
function sourcesFor(
  run: BriefFacts,
  material: BriefMaterial,
  soFar: WrittenText | null,
  parts: readonly TemplatePart[],
): SourceWindow[] {
  const windows = sourceWindows(material);
  if (fitsWindow(run, windows)) return windows;
  const ids = new Set(parts.map(({ id }) => id));
  const subtopics = material.subtopics.filter(({ id }) => ids.has(id));
  if (subtopics.length > 0) return sourceWindows({ ...material, subtopics });
  const cited = new Set(soFar?.statements.flatMap(({ sourceIds }) => sourceIds));
  return windows.filter(({ sourceId }) => cited.has(sourceId)).map((window) => ({ ...window, passages: [] }));
}
