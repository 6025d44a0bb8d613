import type { ArtifactRef } from '../../../contracts/run/artifact';
import { citedIds } from '../../../core/text/citation-marks';
import { SectionDraft } from '../../../contracts/report/draft';
import { eventKey } from '../../../core/run/event-key';
import { Critique } from '../../../contracts/verification/critique';
import { sourcesIn } from '../../../core/settled-text/better-draft';
import { writeSection as writeSectionStep } from '../../../steps/write-section/write-section';
import type { WriteSectionInput } from '../../../steps/write-section/contract';
import { readIfAny, readShared, storeArtifact } from '../../shared/artifacts';
import { roundOf, runStep, type Spent } from '../../shared/run-step';
import { readSection } from '../overview/outline-section';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { readProblems } from '../../shared/judge/judge-version';
import { readTextMaterial } from './text-material';
import { openSectionStream } from '../../shared/section-stream';
import { traitsOf } from '../../../contracts/run/engines';
import type { Finding, ValidatedFindings } from '../../../contracts/report/finding';
import { countWords } from '../../../core/writing/shorten';
import { count } from '../../../core/writing/count';
import type { NamedProblem } from '../../../steps/material/named-problem';

export interface WriteSectionActivityInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
  sectionId: string;
  /** Where the section is written once more: the text that stands, which revision this is (from 1), and what is wrong with it. */
  revises?: {
    draftRef: ArtifactRef;
    revision: number;
    /** Of a text that says what it cites does not bear. */
    critiqueRef?: ArtifactRef;
    /** Of a version in which a judge named the section. */
    judgementRef?: ArtifactRef;
    /** It cites fewer sources than it should and could; so it is where there is no critique. */
    lacksSources?: boolean;
  };
}

export interface WrittenSection extends Spent {
  draftRef: ArtifactRef;
  /** How many different sources the text cites, and how many its findings have. */
  cited: number;
  citable: number;
  sentences: number;
}

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
    targetWords: targetWords(findings, validated, run),
  };
  const revision = revises?.revision ?? 0;
  const place = { pass: 4, section: sectionId, revision };
  const before =
    revises === undefined ? null : await readShared(ports.content, revises.draftRef, SectionDraft);
  const critique = await readIfAny(ports.content, revises?.critiqueRef ?? null, Critique);
  const lacks = revises?.lacksSources ?? critique === null;
  const problems = await readProblems(ports.content, revises?.judgementRef, sectionId);
  const lacking = before !== null && lacks ? lackingIn(before, findings) : null;
  const reason = revisionReason({ critique, citesOnly: lacking?.cited ?? null, problems });
  if (reason !== '') {
    const key = eventKey({ ...place, ...roundOf(run), step: writeSectionStep.name, type: 'revision' });
    await ports.events.appendOnce(run.runId, key, {
      type: 'revision',
      payload: { section: sectionId, revision, reason },
    });
  }
  const stream = await openSectionStream(ports.events, run.runId, sectionId, SECTION_WRITER);
  const {
    output: draft,
    usage,
    warnings,
  } = await runStep(
    ports,
    run,
    writeSectionStep,
    {
      ...input,
      ...(lacking === null ? {} : { lacking }),
      ...(critique === null ? {} : { critique }),
      ...(problems === null ? {} : { problems }),
    },
    {
      place,
      signal,
      onText: (text) => stream.write(text),
    },
  );
  await stream.finish(draft.markdown);
  return {
    draftRef: await storeArtifact(ports.content, run.runId, draft),
    cited: sourcesIn(draft),
    citable: new Set(findings.flatMap(({ citations }) => citations)).size,
    sentences: draft.checked?.sentences.length ?? 0,
    usage,
    warnings,
  };
}

/** Which findings have sources that the text does not cite; null where it cites them all. */
function lackingIn(
  draft: SectionDraft,
  findings: WriteSectionInput['findings'],
): NonNullable<WriteSectionInput['lacking']> | null {
  const cited = new Set(citedIds(draft.markdown));
  const missing = findings.filter(({ citations }) => citations.some((id) => !cited.has(id)));
  return missing.length === 0 ? null : { cited: cited.size, findingIds: missing.map(({ id }) => id) };
}

/** What is left of a report's length for its sections: the summary, the assessment and the sources take the rest. */
const SECTIONS_SHARE = 0.65;
/** Of what a finding quotes so much is told beside what it claims: who says it, under which conditions, with which figures. */
const TOLD_OF_QUOTES = 0.5;
/** How far apart the counts of findings are that a model's share is reckoned by. */
const STEP = 1.25;

/**
 * A section's part of the report's length, by how much of the findings it has. A model is asked for no more words than its findings
 * have to tell: what is longer is padding. What it is asked says it in words, so the other part is not to change with every finding of
 * other sections: those are paid for already.
 */
function targetWords(
  findings: readonly Finding[],
  validated: ValidatedFindings,
  { engine, synthesis }: Pick<ReportFacts, 'engine' | 'synthesis'>,
): number {
  const all = Math.max(
    1,
    validated.sections.reduce((sum, section) => sum + section.findings.length, 0),
  );
  const words = synthesis.targetReportLength * SECTIONS_SHARE;
  const { length } = findings;
  const wanted = traitsOf(engine).asksModels
    ? Math.min(toTens(wordsOf(findings)), (words * length) / inSteps(all))
    : (words * length) / all;
  return Math.max(1, Math.round(wanted));
}

function wordsOf(findings: readonly Finding[]): number {
  return findings.reduce((sum, { claim, evidence }) => {
    const quoted = evidence.reduce((words, { quote }) => words + countWords(quote), 0);
    return sum + countWords(claim) + TOLD_OF_QUOTES * quoted;
  }, 0);
}

function toTens(words: number): number {
  return 10 * Math.ceil(words / 10);
}

function inSteps(count: number): number {
  return STEP ** Math.round(Math.log(count) / Math.log(STEP));
}

/** Under whose name the texts of sections are told; logs of earlier releases have it. */
export const SECTION_WRITER = { pass: 4, step: 'write-section' };

/** Why a text is written anew, in a sentence for each reason; empty where nothing asks for it. */
export function revisionReason({
  critique,
  citesOnly = null,
  problems,
}: {
  critique: Critique | null;
  /** How many sources it cites, where it should and could cite more. */
  citesOnly?: number | null;
  problems: readonly NamedProblem[] | null;
}): string {
  return [
    ...(critique === null ? [] : [critiqueReason(critique)]),
    ...(citesOnly === null
      ? []
      : [`It cites ${citesOnly === 1 ? 'one source' : `${citesOnly} sources`} only.`]),
    ...(problems === null ? [] : [`A judge named ${count(problems.length, 'fault')} of it.`]),
  ].join(' ');
}

function critiqueReason({ unsupportedClaims, conflictingEvidence }: Critique): string {
  const wrong = unsupportedClaims.length + conflictingEvidence.length;
  return wrong === 1
    ? 'What it cites does not support one claim.'
    : `What they cite does not support ${wrong} claims.`;
}
