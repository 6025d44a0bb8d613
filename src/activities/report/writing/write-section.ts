import type { ArtifactRef } from '../../../contracts/run/artifact';
import { citedIds } from '../../../core/text/citation-marks';
import { SectionDraft } from '../../../contracts/report/draft';
import type { ValidatedFindings } from '../../../contracts/report/finding';
import { eventKey } from '../../../core/run/event-key';
import { betterSettled } from '../../../core/settled-text/better-settled';
import { undecidedIn } from '../../../core/settled-text/frame-text';
import { writeSection as writeSectionStep } from '../../../steps/write-section/write-section';
import type { WriteSectionInput } from '../../../steps/write-section/contract';
import { readIfAny, readShared, storeArtifact } from '../../shared/artifacts';
import { RefusedSentences } from './check-section';
import { readSection } from '../overview/outline-section';
import type { ActivityPorts, RunBrief } from '../../shared/ports';
import { runStep, type Spent } from '../../shared/run-step';
import { readTextMaterial } from './read-text-material';
import { openSectionStream } from './section-stream';

export interface WriteSectionActivityInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
  sectionId: string;
  /**
   * Where the section is written once more: the text that lacks sources, or, with what was refused of it, that says more than
   * what it cites; and which revision this is, from 1.
   */
  revises?: { draftRef: ArtifactRef; revision: number; refusedRef?: ArtifactRef };
}

export interface WrittenSection extends Spent {
  draftRef: ArtifactRef;
  /** How many different sources the text cites, and how many its findings have. */
  cited: number;
  citable: number;
  /** How many of its sentences only a critic can decide. */
  undecided?: number;
}

/** Pass 4 for one section: its text, streamed into the event log as it is written. */
export async function writeSection(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, validatedRef, sectionId, revises }: WriteSectionActivityInput,
  signal: AbortSignal,
): Promise<WrittenSection> {
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const material = await readTextMaterial(ports, { catalogueRef, validatedRef }, sectionId);
  const { validated, findings, conflicts, sources } = material;
  const { relevantSources: _relevance, sourceScores: _scores, ...brief } = section;
  const input: WriteSectionInput = {
    question: run.question,
    section: brief,
    findings,
    conflicts,
    sources,
    targetWords: targetWords(findings.length, validated, run.synthesis.targetReportLength),
  };
  const revision = revises?.revision ?? 0;
  const place = { pass: 4, section: sectionId, revision };
  const before =
    revises === undefined ? null : await readShared(ports.content, revises.draftRef, SectionDraft);
  const refused = await readIfAny(ports.content, revises?.refusedRef ?? null, RefusedSentences);
  const lacking = before === null || refused !== null ? null : lackingIn(before, findings);
  const reason =
    refused !== null ? refusalReason(refused.length) : lacking === null ? null : citesOnly(lacking);
  if (reason !== null) {
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
    { ...input, ...(lacking === null ? {} : { lacking }), ...(refused === null ? {} : { refused }) },
    {
      place,
      signal,
      onText: (text) => stream.write(text),
    },
  );
  const draft = refused === null ? citingMore(before, output) : bearingMore(before, output);
  await stream.finish(draft.markdown);
  return {
    draftRef: await storeArtifact(ports.content, run.runId, draft),
    cited: citedIn(draft).size,
    citable: new Set(findings.flatMap(({ citations }) => citations)).size,
    ...(undecidedIn(draft.checked) === 0 ? {} : { undecided: undecidedIn(draft.checked) }),
    usage,
    warnings,
  };
}

/** A revision that cites no more than what it revises is not worth its place. */
function citingMore(before: SectionDraft | null, output: SectionDraft): SectionDraft {
  return before !== null && citedIn(output).size <= citedIn(before).size ? before : output;
}

/** Where a critic is still to say what stands of a text, it is weighed then. */
function bearingMore(before: SectionDraft | null, output: SectionDraft): SectionDraft {
  return undecidedIn(output.checked) > 0 ? output : betterSettled(before, output);
}

function citesOnly({ cited }: NonNullable<WriteSectionInput['lacking']>): string {
  return `It cites ${cited === 1 ? 'one source' : `${cited} sources`} only.`;
}

function refusalReason(refused: number): string {
  return refused === 1
    ? 'One sentence says more than what it cites.'
    : `${refused} sentences say more than what they cite.`;
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
