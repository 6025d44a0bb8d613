import type { ArtifactRef } from '../core/contracts/artifact';
import { citedIds } from '../core/citation-marks';
import { SectionDraft } from '../core/contracts/draft';
import { ValidatedFindings } from '../core/contracts/finding';
import { eventKey } from '../core/event-key';
import { writeSection as writeSectionStep, type WriteSectionInput } from '../steps/write-section';
import { readArtifact, readShared, storeArtifact } from './artifacts';
import { openCatalogue } from './catalogue';
import { citableSources } from './citable-sources';
import { readSection } from './outline-section';
import type { ActivityPorts, RunBrief } from './ports';
import { runStep, type Spent } from './run-step';
import { openSectionStream } from './section-stream';

export interface WriteSectionActivityInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
  sectionId: string;
  /** Where the section is written once more: the text that lacks sources, and which revision this is, from 1. */
  revises?: { draftRef: ArtifactRef; revision: number };
}

export interface WrittenSection extends Spent {
  draftRef: ArtifactRef;
  /** How many different sources the text cites, and how many its findings have. */
  cited: number;
  citable: number;
}

/** Pass 4 for one section: its text, streamed into the event log as it is written. */
export async function writeSection(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, validatedRef, sectionId, revises }: WriteSectionActivityInput,
  signal: AbortSignal,
): Promise<WrittenSection> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const validated = await readShared(ports.content, validatedRef, ValidatedFindings);
  const findings = validated.sections.find((entry) => entry.sectionId === sectionId)?.findings ?? [];
  const ids = new Set(findings.map((finding) => finding.id));
  const conflicts = validated.conflicts.filter((conflict) => conflict.findingIds.some((id) => ids.has(id)));
  const { relevantSources: _relevance, sourceScores: _scores, ...brief } = section;
  const input: WriteSectionInput = {
    question: run.question,
    section: brief,
    findings,
    conflicts,
    sources: await citableSources(catalogue, findings, conflicts),
    targetWords: targetWords(findings.length, validated, run.synthesis.targetReportLength),
  };
  const revision = revises?.revision ?? 0;
  const place = { pass: 4, section: sectionId, revision };
  const before =
    revises === undefined ? null : await readArtifact(ports.content, revises.draftRef, SectionDraft);
  const lacking = before === null ? null : lackingIn(before, findings);
  if (lacking !== null) {
    const reason = `It cites ${lacking.cited === 1 ? 'one source' : `${lacking.cited} sources`} only.`;
    const key = eventKey({ ...place, step: writeSectionStep.name, type: 'revision' });
    await ports.events.appendOnce(run.runId, key, {
      type: 'revision',
      payload: { section: sectionId, revision, reason },
    });
  }
  const stream = await openSectionStream(ports.events, run.runId, sectionId);
  const { output, usage, warnings } = await runStep(
    ports,
    run,
    writeSectionStep,
    lacking === null ? input : { ...input, lacking },
    {
      place,
      signal,
      onText: (text) => stream.write(text),
    },
  );
  // A revision that cites no more than what it revises is not worth its place.
  const draft = before !== null && citedIn(output).size <= citedIn(before).size ? before : output;
  await stream.finish(draft.markdown);
  return {
    draftRef: await storeArtifact(ports.content, run.runId, draft),
    cited: citedIn(draft).size,
    citable: new Set(findings.flatMap(({ citations }) => citations)).size,
    usage,
    warnings,
  };
}

function citedIn(draft: SectionDraft): Set<string> {
  return new Set(citedIds(draft.markdown));
}

/** Which findings have sources that the text does not cite; null where it cites them all. */
function lackingIn(
  draft: SectionDraft,
  findings: WriteSectionInput['findings'],
): NonNullable<WriteSectionInput['lacking']> | null {
  const cited = citedIn(draft);
  const missing = findings.filter(({ citations }) => citations.some((id) => !cited.has(id)));
  return missing.length === 0 ? null : { cited: cited.size, findingIds: missing.map(({ id }) => id) };
}

/** What is left of a report's length for its sections: the summary, the assessment and the sources take the rest. */
const SECTIONS_SHARE = 0.65;

/** A section's part of the report's length, by how much of the findings it has. */
function targetWords(findings: number, validated: ValidatedFindings, reportWords: number): number {
  const all = validated.sections.reduce((sum, section) => sum + section.findings.length, 0);
  return Math.max(1, Math.round((reportWords * SECTIONS_SHARE * findings) / Math.max(1, all)));
}
