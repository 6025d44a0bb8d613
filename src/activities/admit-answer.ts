import { z, ZodError } from 'zod';
import type { Critique } from '../contracts/finding';
import type { Warning } from '../contracts/run';
import { type ArtifactRef, type SourceEntry, SourceManifest } from '../contracts/source';
import { AnswerMessage, type AnswerRunInput } from '../contracts/start';
import { append } from '../lib/iterables';
import { importSources } from '../sources/import-sources';
import { readObservations } from '../sources/observations';
import { InvalidSourcesError } from '../sources/source-problems';
import { readRecords } from '../sources/source-readings';
import { type StepName, stepVersions } from '../steps/registry';
import type { ContentStore } from '../stores/content-store';
import { corpusIndexKey } from '../text/corpus-index';
import { sourceProblems } from './admit-run';
import { MissingArtifactError, readArtifact, readShared, storeArtifact } from './artifacts';
import type { ActivityPorts } from './ports';
import { pinPrompts } from './run-step';
import { searchProblems } from './search-indexes';

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

interface Searched {
  manifestRef: ArtifactRef | null;
  problems: string[];
}

type Given = Pick<AdmitAnswerInput, 'runId' | 'documents' | 'manifestRef' | 'sourceCount'>;

async function importDocuments(content: ContentStore, given: Given): Promise<Searched> {
  const { runId, documents = [], manifestRef, sourceCount } = given;
  const problems =
    manifestRef === undefined ? [] : await sourceProblems(content, { runId, manifestRef, sourceCount });
  const listed = { manifestRef: manifestRef ?? null, problems };
  if (documents.length === 0) return listed;
  try {
    const readings = readRecords(documents);
    // Without the time at which they were given, so that the same documents are the same list, which is indexed once.
    const asked = { runId, readings, content, skipInvalid: false, isRetried: true };
    const imported = await importSources(asked);
    if (problems.length > 0) return listed;
    if (manifestRef === undefined) return { manifestRef: imported.manifestRef, problems };
    return { manifestRef: await joined(content, runId, [manifestRef, imported.manifestRef]), problems };
  } catch (error) {
    if (!(error instanceof InvalidSourcesError)) throw error;
    const wrong = error.problems.map(({ line, message }) => `documents[${(line ?? 1) - 1}]: ${message}`);
    return { ...listed, problems: [...problems, ...wrong] };
  }
}

/** One list of the sources of several; of those with one id the first. */
async function joined(
  content: ContentStore,
  runId: string,
  manifestRefs: readonly ArtifactRef[],
): Promise<ArtifactRef> {
  const sources: SourceEntry[] = [];
  const known = new Set<string>();
  for (const ref of manifestRefs) {
    const listed = await readShared(content, ref, SourceManifest);
    const entries = listed.sources.filter(({ id }) => !known.has(id));
    for (const { id } of entries) known.add(id);
    append(sources, entries);
  }
  return storeArtifact(content, runId, { sources, warnings: [] });
}

type InputField<Field extends keyof AnswerRunInput> = AnswerRunInput[Field] | undefined;

export interface AdmitAnswerInput {
  runId: string;
  engine: AnswerRunInput['engine'];
  history: AnswerRunInput['history'];
  historyRef: InputField<'historyRef'>;
  maxHistory: number;
  observations: InputField<'observations'>;
  observationsRef: InputField<'observationsRef'>;
  documents: InputField<'documents'>;
  manifestRef: InputField<'manifestRef'>;
  sourceCount: number;
  finalOutput: InputField<'finalOutput'>;
  finalOutputRef: InputField<'finalOutputRef'>;
  critique: InputField<'critique'>;
  search?: InputField<'search'>;
}
