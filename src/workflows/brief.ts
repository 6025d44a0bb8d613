import { defineQuery } from '@temporalio/workflow';
import type { BriefContext } from '../activities/ports';
import { recordUsage } from '../contracts/budget';
import type { JudgedVersion } from '../contracts/judgement';
import { BRIEF_PASSES, type BriefPass } from '../contracts/pipeline';
import type { Progress, RunOutcome } from '../contracts/run';
import { type BriefCounts, briefMessage, briefPercentDone } from '../contracts/run-protocol';
import briefStart from '../contracts/schemas/brief-start.json';
import type { ArtifactRef } from '../contracts/source';
import type { BriefRunInput } from '../contracts/start';
import type { JsonSchema } from '../lib/json-schema';
import {
  allShortfalls,
  assembleInput,
  briefActivities,
  type BriefRun,
  type BriefState,
  currentText,
  type GatheredMaterial,
  initialBriefState,
  judgeBrief,
  type PlannedBrief,
  writeBrief,
  writingOrder,
} from './brief-writing';
import { fillDefaults, inputProblems, invalidInput, onQuery, schemaProblems } from './input';
import { formatCount } from './publishing';
import { bestVersion, judgedVersions, judgeSummary } from './revision';
import type { FinalStatus, ParsedInput, RunDefinition } from './run-definition';
import { conclude, earlyEndReason, mapParallel, orShortfall } from './run-parts';
import { addWarnings, isNewRun } from './run-state';
import { runShape, sharedActivities as shared } from './steps';

const CHECK_FALLBACK = 'what words alone cannot decide of it is unchecked';

export const BRIEF_DEFINITION: RunDefinition<BriefRunInput, BriefState, BriefContext> = {
  name: 'brief',
  passes: BRIEF_PASSES.map((name) => ({
    name,
    role: name === 'gather' ? 'fast' : 'strong',
    message: (input, carried) => briefMessage(name, progressCounts(input, carried)),
  })),
  insteadOfUnfinished: 'so the brief has what there was until then',
  readInput: parseBriefInput,
  begin: initialBriefState,
  facts: ({ runId, question, engine, models = null, stepVersions, brief, judge }) => ({
    runId,
    question,
    engine,
    models,
    stepVersions,
    temperature: brief.temperature,
    brief,
    judge,
  }),
  percentDone: briefPercentDone,
  section: (pass: BriefPass, carried) => currentPart(pass, carried),
  detailLines: (pass: BriefPass, carried) => (currentPart(pass, carried) === null ? [] : partLines(carried)),
  passRefs({ gathered, planned, versions }) {
    const reports = judgedVersions(versions).map(({ assembled }) => assembled.reportRef);
    return {
      ...(gathered ? { material: gathered.materialRef } : {}),
      ...(planned ? { plan: planned.planRef } : {}),
      ...(reports.length > 0 ? { versions: reports } : {}),
    };
  },
  hasFindings: ({ gathered }) => gathered !== null,
  answerQueries({ versions }) {
    onQuery(versionsQuery, () => judgeSummary(versions)?.versions ?? []);
  },
  carryOut: runBrief,
  conclude: concludeBrief,
};

function progressCounts(
  { subtopicCount, judge: { enabled } }: BriefRunInput,
  { gathered, checked, planned, written, drafts, versions, revising }: BriefState,
): BriefCounts {
  return {
    subtopics: gathered?.subtopics.length ?? subtopicCount ?? null,
    checked,
    parts:
      planned === null || planned.isOneCall
        ? null
        : { written: written.length + drafts.length, of: planned.parts.length },
    judging:
      revising === undefined
        ? { doing: needsJudgement(enabled, versions) ? 'judge' : 'conclude', version: versions.length || 1 }
        : { doing: 'revise', version: revising },
  };
}

function needsJudgement(isJudged: boolean, versions: BriefState['versions']): boolean {
  const latest = versions.at(-1);
  return isJudged && (latest === undefined || latest.judged === null);
}

/** The title is empty, because histories hold no material: clients look it up in the plan by id. */
function currentPart(pass: BriefPass, carried: BriefState): Progress['section'] {
  const { planned } = carried;
  if (pass !== 'write' || planned === null) return null;
  const written = finishedParts(carried);
  const order = writingOrder(planned.parts.map(({ id }) => id));
  const shown = order.find((id) => !written.includes(id)) ?? written.at(-1) ?? '';
  return { index: written.length, of: planned.parts.length, id: shown, title: '' };
}

function finishedParts({ written, drafts }: BriefState): string[] {
  return [...written, ...drafts.map(({ partId }) => partId)];
}

function partLines(carried: BriefState): string[] {
  const parts = carried.planned?.parts ?? [];
  const written = finishedParts(carried);
  return [
    `  - ${written.length} of ${parts.length} parts written`,
    ...parts.map(({ id }) => `  - ${written.includes(id) ? '✓ ' : ''}${id}`),
  ];
}

// A test checks that the schema uses supported keywords only.
const SCHEMA = briefStart as JsonSchema;

/** Does not use zod, which is too large for the workflow sandbox. `startedAt` is ISO 8601. */
function parseBriefInput(
  given: unknown,
  run: { runId: string; startedAt: string },
): ParsedInput<BriefRunInput> {
  const problems = schemaProblems(SCHEMA, given);
  if (problems.length > 0) return { problems };
  const filled = fillDefaults(SCHEMA, given) as Omit<BriefRunInput, 'asOf'> & { asOf?: string };
  const input = { ...filled, asOf: filled.asOf ?? run.startedAt, runId: run.runId };
  const further = fieldProblems(input);
  return further.length > 0 ? { problems: further } : { input };
}

function fieldProblems(input: BriefRunInput): string[] {
  const { subtopics, subtopicsRef } = input;
  const problems = inputProblems(input);
  if (subtopics === undefined && subtopicsRef === undefined)
    problems.push(
      'subtopics is missing; allowed: a list of subtopics, or subtopicsRef, where such a list is stored',
    );
  if (subtopics !== undefined && subtopicsRef !== undefined)
    problems.push('subtopics and subtopicsRef are both there; allowed: one of them');
  for (const [index, { title, summary }] of (subtopics ?? []).entries())
    for (const [name, text] of Object.entries({ title, summary }))
      if (text.trim() === '') problems.push(`subtopics[${index}].${name} is empty; allowed: a text`);
  return problems;
}

async function concludeBrief(run: BriefRun, reached: FinalStatus): Promise<RunOutcome> {
  const { carried, input } = run;
  const version = bestVersion(carried.versions) ?? { n: 1, text: currentText(carried) };
  const isWhole = allShortfalls(carried).length === 0;
  const status = reached === 'completed' && !isWhole ? 'partial' : reached;
  const request = assembleInput(run, version, {
    status,
    endedEarly: earlyEndReason(run, status),
    isFinal: true,
  });
  const summary = 'put the brief together';
  const { reportRef, markdownRef } = await conclude(run, status, {
    store: (trial) => briefActivities.assembleBrief.executeWithOptions({ summary, ...trial }, [request]),
    citations: ({ citations }) => citations,
    facts: ({ citations }) => [formatCount(citations, 'citation'), ...judgementFacts(run)],
  });
  return { runId: input.runId, status, reportRef, markdownRef };
}

function judgementFacts({ carried: { versions } }: BriefRun): string[] {
  const best = bestVersion(versions);
  if (best === null) return [];
  return [`version ${best.n} of ${versions.length}`, `judged ${best.judged.overall}`];
}

const versionsQuery = defineQuery<JudgedVersion[]>('versions');

async function runBrief(run: BriefRun): Promise<void> {
  const { carried } = run;
  const subtopicsRef = await prepareBrief(run);
  const gathered = await run.pass(
    'gather',
    () => gatherMaterial(run, subtopicsRef),
    () => requireResult<GatheredMaterial>(carried.gathered),
  );
  const planned = await run.pass(
    'plan',
    () => planParts(run, gathered),
    () => requireResult<PlannedBrief>(carried.planned),
  );
  await run.pass(
    'write',
    () => writeBrief(run, gathered, planned),
    () => undefined,
  );
  await run.pass(
    'judge',
    () => judgeBrief(run, gathered),
    () => undefined,
  );
}

function requireResult<Made>(kept: Made | null): Made {
  if (kept === null) throw new Error('A finished pass of a brief has left nothing.');
  return kept;
}

async function planParts(run: BriefRun, gathered: GatheredMaterial): Promise<PlannedBrief> {
  run.plan(1);
  const { planRef, isOneCall, parts, usage, warnings } = await run.carryOut(
    briefActivities.planBrief,
    { run: run.facts, materialRef: gathered.materialRef },
    'plan',
  );
  addWarnings(run.carried, warnings);
  run.carried.ledger = recordUsage(run.carried.ledger, 'plan', usage);
  run.carried.planned = { planRef, isOneCall, parts };
  return run.carried.planned;
}

/** Validates and pins the input, and deletes the events of an earlier run. Null after the first history. */
async function prepareBrief(run: BriefRun): Promise<ArtifactRef | null> {
  const { input, carried } = run;
  if (!isNewRun(carried)) return null;
  const { runId, kind, engine, question, subtopics, subtopicsRef, brief, asOf } = input;
  const request = { runId, engine, question, subtopics, subtopicsRef, brief, asOf };
  const admitted = await run.carryOut(briefActivities.admitBrief, request, 'look at the subtopics');
  if (admitted.problems.length > 0) throw invalidInput(kind, admitted.problems);
  const { stepVersions, promptsRef, formerLogBegunAt: begunAt } = admitted;
  // The run's facts and the next history share this object.
  if (Object.keys(input.stepVersions).length === 0) Object.assign(input.stepVersions, stepVersions);
  // They are stored now, so later histories carry the reference only.
  input.subtopicCount ??= subtopics?.length;
  delete input.subtopics;
  input.subtopicsRef = admitted.subtopicsRef;
  if (promptsRef !== null) run.usePrompts(promptsRef);
  addWarnings(carried, admitted.warnings);
  if (begunAt !== null)
    await run.carryOut(shared.forgetFormerEvents, { runId, begunAt }, 'forget the run before');
  return admitted.subtopicsRef;
}

/** Summaries whose source texts were given are checked. Unsupported statements are rejected. */
async function gatherMaterial(run: BriefRun, subtopicsRef: ArtifactRef | null): Promise<GatheredMaterial> {
  const { facts, carried, input } = run;
  if (subtopicsRef === null) throw new Error('A brief is gathered in its first history.');
  const { materialRef, subtopics, statements, sources, inFull, warnings } = await run.carryOut(
    briefActivities.gatherBrief,
    { run: facts, subtopicsRef, asOf: input.asOf },
    'read the subtopics',
  );
  addWarnings(carried, warnings);
  carried.gathered = { materialRef, subtopics, statements, sources, inFull };
  if (inFull === 0) return carried.gathered;
  run.plan(subtopics.length + 1);
  const checksRefs = await checkSummaries(run, carried.gathered);
  const settled = await run.carryOut(
    briefActivities.settleMaterial,
    { run: facts, materialRef, checksRefs },
    'sort the checks',
  );
  carried.gathered = { ...carried.gathered, materialRef: settled.materialRef };
  return carried.gathered;
}

async function checkSummaries(
  run: BriefRun,
  { materialRef, subtopics }: GatheredMaterial,
): Promise<ArtifactRef[]> {
  const { carried } = run;
  carried.checked = 0;
  const { atOnce } = runShape(run.input);
  const checked = await mapParallel(subtopics, atOnce, async ({ id }, index) => {
    const place = `summary ${index + 1} of ${subtopics.length}`;
    const made = await orShortfall(
      run,
      () =>
        run.ask(
          briefActivities.checkSummaries,
          { run: run.facts, materialRef, subtopicId: id },
          `${place} · check`,
          CHECK_FALLBACK,
        ),
      (reason) =>
        run.addShortfall(
          `Pass 0 could not check ${place} against its sources (${reason}); its statements stand as they were given.`,
        ),
    );
    carried.checked = (carried.checked ?? 0) + 1;
    run.finishPiece(id);
    return made?.checksRef ?? null;
  });
  return checked.flatMap((checksRef) => checksRef ?? []);
}
