import { z, ZodError } from 'zod';
import { AnswerMessage } from '../../contracts/answer/message';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { corpusIndexKey } from '../../retrieval/index-keys';
import { stepVersions } from '../../steps/step-versions';
import { storeArtifact, MissingArtifactError, readArtifact } from '../shared/artifacts';
import { pinPrompts } from '../shared/pinned-prompts';
import type { ActivityPorts } from '../shared/ports';
import type { AdmitAnswerInput } from './material/admit-answer-input';
import { searchProblems } from '../shared/search/open-search';
import { importDocuments } from './material/import-documents';
import type { Critique } from '../../contracts/verification/critique';
import type { Warning } from '../../contracts/run/run';
import { readObservations } from '../../sources/observations/read-observations';
import type { ContentStore } from '../../stores/content-store';
import type { StepName } from '../../steps/registry';

export interface AdmittedAnswer extends GivenMaterial {
  /** What is wrong with what was given; a run with a problem is not begun. */
  problems: string[];
  stepVersions: Record<string, string>;
  /** The prompts that its steps have outside the program; null where there are none. */
  promptsRef: ArtifactRef | null;
  /** When the log begins that an earlier run of the id has left; null where there is none. */
  formerLogBegunAt: string | null;
  /** What is searched: the sources that were given by reference, and whole documents; null where there are none. */
  manifestRef: ArtifactRef | null;
  isIndexed: boolean;
  /** The turns before the question, the latest of them; null where there are none. */
  historyRef: ArtifactRef | null;
  critiqueRef: ArtifactRef | null;
}

/**
 * Stores what an answer may rest on and looks at it, before anything else is done: the run holds it from now on. Nothing of the
 * run has been told yet, so a log that is there is another's.
 */
export async function admitAnswer(
  ports: ActivityPorts,
  given: AdmitAnswerInput,
  signal: AbortSignal,
): Promise<AdmittedAnswer> {
  const { content, derived, events } = ports;
  const { runId, history, historyRef, maxHistory, critique, observations = [], observationsRef } = given;
  const { finalOutput, finalOutputRef } = given;
  const [first] = await events.read(runId, { limit: 1 });
  const observed = await keptList(content, runId, {
    name: 'observationsRef',
    ref: observationsRef,
    item: z.string(),
    what: 'texts',
  });
  const before = await keptList(content, runId, {
    name: 'historyRef',
    ref: historyRef,
    item: AnswerMessage,
    what: 'messages',
  });
  const output = await keptText(content, { name: 'finalOutputRef', ref: finalOutputRef });
  const { manifestRef, problems: ofSources } = await importDocuments(content, given);
  const stored = await storeGiven(content, runId, {
    observations: [...observations, ...observed.items],
    finalOutput: finalOutput ?? output.text,
  });
  const turns = maxHistory === 0 ? [] : [...before.items, ...history];
  const store = (value: unknown): Promise<ArtifactRef> => storeArtifact(content, runId, value);
  const problems = [
    ...searchProblems(ports, given.search),
    ...observed.problems,
    ...before.problems,
    ...output.problems,
    ...ofSources,
  ];
  return {
    problems,
    stepVersions,
    promptsRef: problems.length > 0 ? null : await pinPrompts(ports, given, ANSWER_STEPS, signal),
    formerLogBegunAt: first?.at ?? null,
    manifestRef,
    isIndexed:
      manifestRef !== null && (await derived.hold(runId, [corpusIndexKey(manifestRef)])).length === 0,
    ...stored,
    historyRef: turns.length === 0 ? null : await store(turns.slice(-maxHistory)),
    critiqueRef: critique === undefined ? null : await store(wholeCritique(critique)),
  };
}

/** A critique of which a caller gave a part: what it does not say is not wrong. */
function wholeCritique(given: { [Field in keyof Critique]?: Critique[Field] | undefined }): Critique {
  return {
    needsRetry: given.needsRetry ?? true,
    hallucinationDetected: given.hallucinationDetected ?? false,
    unsupportedClaims: given.unsupportedClaims ?? [],
    logicalGaps: given.logicalGaps ?? [],
    conflictingEvidence: given.conflictingEvidence ?? [],
    missingCitations: given.missingCitations ?? [],
  };
}

interface GivenMaterial {
  /** Null where there are none. */
  givenRef: ArtifactRef | null;
  given: number;
  observationCount: number;
  finalOutputRef: ArtifactRef | null;
  /** What of it could not be read; the rest of it is used all the same. */
  warnings: Warning[];
}

const MAX_TOLD = 20;

/** Stores observations as sources whose passages may be cited, and what a research agent came to as one more. */
async function storeGiven(
  content: ContentStore,
  runId: string,
  { observations, finalOutput = '' }: { observations: readonly string[]; finalOutput: string | undefined },
): Promise<GivenMaterial> {
  const { documents, passages, observationCount, problems } = readObservations(observations, finalOutput);
  if (documents.length > 0)
    await content.storeBatch(
      runId,
      documents.map((document) => document.content),
    );
  return {
    givenRef: passages.length === 0 ? null : await storeArtifact(content, runId, passages),
    given: passages.length,
    observationCount,
    finalOutputRef: finalOutput.trim() === '' ? null : await content.store(runId, finalOutput),
    warnings: problems.slice(0, MAX_TOLD).map(({ observation, message }) => ({
      code: 'observation',
      message: `${observation === 0 ? 'The final output' : `Observation ${observation}`}: ${message}`,
    })),
  };
}

interface KeptList<Item> {
  items: Item[];
  problems: string[];
}

/** A list that a caller stored and names by its reference, held for the run; `what` says what it should list. */
async function keptList<Item>(
  content: ContentStore,
  runId: string,
  {
    name,
    ref,
    item,
    what,
  }: { name: string; ref: ArtifactRef | undefined; item: z.ZodType<Item>; what: string },
): Promise<KeptList<Item>> {
  if (ref === undefined) return { items: [], problems: [] };
  try {
    const items = await readArtifact(content, ref, z.array(item));
    await content.hold(runId, [ref]);
    return { items, problems: [] };
  } catch (error) {
    const named = `${name} is ${ref}`;
    if (error instanceof MissingArtifactError) return { items: [], problems: [notKept(named)] };
    if (error instanceof ZodError || error instanceof SyntaxError)
      return { items: [], problems: [`${named}, which is no list of ${what}`] };
    throw error;
  }
}

/** The text of the same kind; undefined where there is none. */
async function keptText(
  content: ContentStore,
  { name, ref }: { name: string; ref: ArtifactRef | undefined },
): Promise<{ text: string | undefined; problems: string[] }> {
  if (ref === undefined) return { text: undefined, problems: [] };
  const text = await content.retrieve(ref);
  return text === null
    ? { text: undefined, problems: [notKept(`${name} is ${ref}`)] }
    : { text, problems: [] };
}

function notKept(named: string): string {
  return `${named}, which is not in this worker's content store`;
}

export const ANSWER_STEPS: readonly StepName[] = [
  'plan-search',
  'rewrite-question',
  'compress',
  'answer',
  'audit-text',
  'mend-text',
];

export const JUDGED_ANSWER_STEPS: readonly StepName[] = [...ANSWER_STEPS, 'judge'];
