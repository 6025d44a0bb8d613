import { defineQuery } from '@temporalio/workflow';
import type { BriefFacts } from '../activities/ports';
import { book } from '../contracts/budget';
import type { JudgedVersion } from '../contracts/judgement';
import { BRIEF_PASSES, type BriefPass } from '../contracts/pipeline';
import type { Progress, RunOutcome } from '../contracts/run';
import { type BriefCounts, briefMessage, briefPercentDone } from '../contracts/run-protocol';
import briefStart from '../contracts/schemas/brief-start.json';
import type { ArtifactRef } from '../contracts/source';
import type { BriefRunInput } from '../contracts/start';
import type { JsonSchema } from '../lib/json-schema';
import {
  activities,
  assembling,
  type BriefRun,
  type CarriedBrief,
  type Gathered,
  inWritingOrder,
  judgeBrief,
  nothingWritten,
  type Planned,
  shortfallsOf,
  textOf,
  writeBrief,
} from './brief-writing';
import { answerQuery, fillDefaults, invalidInput, schemaProblems, startProblems } from './input';
import { counted } from './publishing';
import { bestVersion, judgedOnes, judgeOf } from './revision';
import type { FinalStatus, Kind, ReadInput } from './run-definition';
import { conclude, endedEarly, inParallel, orShortfall } from './run-parts';
import { isAtItsBeginning, keepWarnings } from './run-state';
import { activities as shared, shapeOfRun } from './steps';

const BY_WORDS = 'what words alone cannot decide of it is unchecked';

export const BRIEF: Kind<BriefRunInput, CarriedBrief, BriefFacts> = {
  name: 'brief',
  passes: BRIEF_PASSES.map((name) => ({
    name,
    role: name === 'gather' ? 'fast' : 'strong',
    message: (input, carried) => briefMessage(name, countsOf(input, carried)),
  })),
  insteadOfUnfinished: 'so the brief has what there was until then',
  readInput: readBriefStart,
  begin: nothingWritten,
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
  section: (pass: BriefPass, carried) => partUnderWay(pass, carried),
  detailLines: (pass: BriefPass, carried) => (partUnderWay(pass, carried) === null ? [] : partLines(carried)),
  passRefs({ gathered, planned, versions }) {
    const reports = judgedOnes(versions).map(({ assembled }) => assembled.reportRef);
    return {
      ...(gathered ? { material: gathered.materialRef } : {}),
      ...(planned ? { plan: planned.planRef } : {}),
      ...(reports.length > 0 ? { versions: reports } : {}),
    };
  },
  hasFindings: ({ gathered }) => gathered !== null,
  answerQueries({ versions }) {
    answerQuery(versionsQuery, () => judgeOf(versions)?.versions ?? []);
  },
  carryOut: carryOutBrief,
  conclude: concludeBrief,
};

function countsOf(
  { subtopicCount, judge: { enabled } }: BriefRunInput,
  { gathered, checked, planned, written, drafts, versions, revising }: CarriedBrief,
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
        ? { doing: awaitsJudge(enabled, versions) ? 'judge' : 'conclude', version: versions.length || 1 }
        : { doing: 'revise', version: revising },
  };
}

function awaitsJudge(isJudged: boolean, versions: CarriedBrief['versions']): boolean {
  const latest = versions.at(-1);
  return isJudged && (latest === undefined || latest.judged === null);
}

/** The title is empty, because histories hold no material: clients look it up in the plan by id. */
function partUnderWay(pass: BriefPass, carried: CarriedBrief): Progress['section'] {
  const { planned } = carried;
  if (pass !== 'write' || planned === null) return null;
  const written = partsThere(carried);
  const order = inWritingOrder(planned.parts.map(({ id }) => id));
  const shown = order.find((id) => !written.includes(id)) ?? written.at(-1) ?? '';
  return { index: written.length, of: planned.parts.length, id: shown, title: '' };
}

function partsThere({ written, drafts }: CarriedBrief): string[] {
  return [...written, ...drafts.map(({ partId }) => partId)];
}

function partLines(carried: CarriedBrief): string[] {
  const parts = carried.planned?.parts ?? [];
  const written = partsThere(carried);
  return [
    `  - ${written.length} of ${parts.length} parts written`,
    ...parts.map(({ id }) => `  - ${written.includes(id) ? '✓ ' : ''}${id}`),
  ];
}

// A test checks that the schema uses supported keywords only.
const SCHEMA = briefStart as JsonSchema;

/** Does not use zod, which is too large for the workflow sandbox. `startedAt` is ISO 8601. */
function readBriefStart(given: unknown, run: { runId: string; startedAt: string }): ReadInput<BriefRunInput> {
  const problems = schemaProblems(SCHEMA, given);
  if (problems.length > 0) return { problems };
  const filled = fillDefaults(SCHEMA, given) as Omit<BriefRunInput, 'asOf'> & { asOf?: string };
  const input = { ...filled, asOf: filled.asOf ?? run.startedAt, runId: run.runId };
  const further = fieldProblems(input);
  return further.length > 0 ? { problems: further } : { input };
}

function fieldProblems(input: BriefRunInput): string[] {
  const { subtopics, subtopicsRef } = input;
  const problems = startProblems(input);
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
  const version = bestVersion(carried.versions) ?? { n: 1, text: textOf(carried) };
  const isWhole = shortfallsOf(carried).length === 0;
  const status = reached === 'completed' && !isWhole ? 'partial' : reached;
  const request = assembling(run, version, { status, endedEarly: endedEarly(run, status), isFinal: true });
  const summary = 'put the brief together';
  const { reportRef, markdownRef } = await conclude(run, status, {
    store: (trial) => activities.assembleBrief.executeWithOptions({ summary, ...trial }, [request]),
    citations: ({ citations }) => citations,
    facts: ({ citations }) => [counted(citations, 'citation'), ...judgedFacts(run)],
  });
  return { runId: input.runId, status, reportRef, markdownRef };
}

function judgedFacts({ carried: { versions } }: BriefRun): string[] {
  const best = bestVersion(versions);
  if (best === null) return [];
  return [`version ${best.n} of ${versions.length}`, `judged ${best.judged.overall}`];
}

const versionsQuery = defineQuery<JudgedVersion[]>('versions');

async function carryOutBrief(run: BriefRun): Promise<void> {
  const { carried } = run;
  const subtopicsRef = await admit(run);
  const gathered = await run.pass(
    'gather',
    () => gather(run, subtopicsRef),
    () => made<Gathered>(carried.gathered),
  );
  const planned = await run.pass(
    'plan',
    () => plan(run, gathered),
    () => made<Planned>(carried.planned),
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

function made<Made>(kept: Made | null): Made {
  if (kept === null) throw new Error('A finished pass of a brief has left nothing.');
  return kept;
}

async function plan(run: BriefRun, gathered: Gathered): Promise<Planned> {
  run.plan(1);
  const { planRef, isOneCall, parts, usage, warnings } = await run.carryOut(
    activities.planBrief,
    { run: run.facts, materialRef: gathered.materialRef },
    'plan',
  );
  keepWarnings(run.carried, warnings);
  run.carried.ledger = book(run.carried.ledger, 'plan', usage);
  run.carried.planned = { planRef, isOneCall, parts };
  return run.carried.planned;
}

/** Validates and pins the input, and deletes the events of an earlier run. Null after the first history. */
async function admit(run: BriefRun): Promise<ArtifactRef | null> {
  const { input, carried } = run;
  if (!isAtItsBeginning(carried)) return null;
  const { runId, kind, engine, question, subtopics, subtopicsRef, brief, asOf } = input;
  const request = { runId, engine, question, subtopics, subtopicsRef, brief, asOf };
  const admitted = await run.carryOut(activities.admitBrief, request, 'look at the subtopics');
  if (admitted.problems.length > 0) throw invalidInput(kind, admitted.problems);
  const { stepVersions, promptsRef, formerLogBegunAt: begunAt } = admitted;
  // The run's facts and the next history share this object.
  if (Object.keys(input.stepVersions).length === 0) Object.assign(input.stepVersions, stepVersions);
  // They are stored now, so later histories carry the reference only.
  input.subtopicCount ??= subtopics?.length;
  delete input.subtopics;
  input.subtopicsRef = admitted.subtopicsRef;
  if (promptsRef !== null) run.usePrompts(promptsRef);
  keepWarnings(carried, admitted.warnings);
  if (begunAt !== null)
    await run.carryOut(shared.forgetFormerEvents, { runId, begunAt }, 'forget the run before');
  return admitted.subtopicsRef;
}

/** Summaries whose source texts were given are checked. Unsupported statements are rejected. */
async function gather(run: BriefRun, subtopicsRef: ArtifactRef | null): Promise<Gathered> {
  const { facts, carried, input } = run;
  if (subtopicsRef === null) throw new Error('A brief is gathered in its first history.');
  const { materialRef, subtopics, statements, sources, inFull, warnings } = await run.carryOut(
    activities.gatherBrief,
    { run: facts, subtopicsRef, asOf: input.asOf },
    'read the subtopics',
  );
  keepWarnings(carried, warnings);
  carried.gathered = { materialRef, subtopics, statements, sources, inFull };
  if (inFull === 0) return carried.gathered;
  run.plan(subtopics.length + 1);
  const checksRefs = await checkedSummaries(run, carried.gathered);
  const settled = await run.carryOut(
    activities.settleMaterial,
    { run: facts, materialRef, checksRefs },
    'sort the checks',
  );
  carried.gathered = { ...carried.gathered, materialRef: settled.materialRef };
  return carried.gathered;
}

async function checkedSummaries(run: BriefRun, { materialRef, subtopics }: Gathered): Promise<ArtifactRef[]> {
  const { carried } = run;
  carried.checked = 0;
  const { atOnce } = shapeOfRun(run.input);
  const checked = await inParallel(subtopics, atOnce, async ({ id }, index) => {
    const place = `summary ${index + 1} of ${subtopics.length}`;
    const made = await orShortfall(
      run,
      () =>
        run.ask(
          activities.checkSummaries,
          { run: run.facts, materialRef, subtopicId: id },
          `${place} · check`,
          BY_WORDS,
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
