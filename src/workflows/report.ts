import { ActivityFailure, ApplicationFailure, defineQuery } from '@temporalio/workflow';
import type { ReportContext } from '../activities/ports';
import type { ReportPass } from '../contracts/pipeline';
import type {
  AddSources,
  OutlineAnswer,
  PlainMessage,
  Progress,
  RunOutcome,
  SetOutline,
} from '../contracts/run';
import { PASS_NAMES, passMessage, passNumber, percentDone } from '../contracts/run-protocol';
import addSources from '../contracts/schemas/add-sources.json';
import setOutline from '../contracts/schemas/set-outline.json';
import type { ArtifactRef } from '../contracts/source';
import type { ReportRunInput } from '../contracts/start';
import type { JsonSchema } from '../lib/json-schema';
import { PLAIN_MESSAGE_SCHEMA } from './inbox';
import { onQuery, onSignal } from './input';
import { addSourcesSignal, MESSAGE_NOT_USABLE } from './messages';
import { formatCount, runUsage } from './publishing';
import { runPasses } from './report-passes';
import {
  appendSources,
  approvalLines,
  gatheredSources,
  initialReportState,
  inputSources,
  parseReportInput,
  pendingSourceCount,
  reportActivities,
  reportFacts,
  type ReportRun,
  type ReportState,
} from './report-state';
import { bestVersion, judgeSummary } from './revision';
import type { FinalStatus, RunDefinition } from './run-definition';
import { conclude, earlyEndReason } from './run-parts';
import { addWarnings, searchMessage } from './run-state';
import { causeMessage, computeActivities } from './steps';

const MESSAGE_OPTIONS = { retry: { maximumAttempts: 4 }, scheduleToCloseTimeout: '2 minutes' } as const;

const ADD_SOURCES_SCHEMA = addSources as JsonSchema;
const SET_OUTLINE_SCHEMA = setOutline as JsonSchema;

export const REPORT_DEFINITION: RunDefinition<ReportRunInput, ReportState, ReportContext> = {
  name: 'report',
  passes: PASS_NAMES.map((name) => ({
    name,
    role: name === 'gather' || name === 'overview' ? 'fast' : 'strong',
    message: (input, carried) =>
      (isSearching(name, carried) ? searchMessage(input.search, carried.search) : null) ??
      passMessage(name, {
        sources: carried.catalogue?.sources ?? inputSources({ input, carried }).sourceCount,
        inFull: input.synthesis.enableMultiPass ? input.synthesis.pass2FullContentCount : Infinity,
      }),
  })),
  insteadOfUnfinished: 'so the report has what there was until then',
  readInput: (given, run) => parseReportInput(given, run, { sourcesMayCome: true }),
  takeMessages: handleReportMessages,
  sourcesWaiting: (carried, input) => pendingSourceCount({ input, carried }),
  begin: initialReportState,
  facts: (input, carried) => ({
    ...reportFacts({ ...input, sourceCount: gatheredSources({ input, carried }).sourceCount }),
    ...(carried.addedRounds === undefined ? {} : { round: carried.addedRounds }),
  }),
  percentDone,
  section: (pass: ReportPass, { sections }, done) => sectionProgress(pass, sections, done),
  detailLines: (pass: ReportPass, { sections, approval }, done) => [
    ...approvalLines(approval),
    ...(sectionProgress(pass, sections, done) === null ? [] : sectionLines(sections, done)),
  ],
  passRefs({ catalogue, outline, sections, validatedRef }) {
    const findings = sections.flatMap(({ findingsRef }) => findingsRef ?? []);
    return {
      ...(catalogue ? { gather: catalogue.ref } : {}),
      ...(outline ? { overview: outline.ref } : {}),
      ...(findings.length > 0 ? { 'deep-dive': findings } : {}),
      ...(validatedRef ? { 'cross-reference': validatedRef } : {}),
    };
  },
  hasFindings: ({ sections }) => sections.some(({ findingsRef }) => findingsRef !== null),
  answerQueries(carried) {
    onQuery(outlineQuery, () =>
      carried.outline === null
        ? null
        : {
            ref: carried.outline.ref,
            sections: carried.sections.map(({ id, sources }) => ({ id, sources })),
          },
    );
  },
  carryOut: runPasses,
  conclude: concludeReport,
};

function isSearching(pass: ReportPass, { catalogue, search }: ReportState): boolean {
  return pass === 'gather' ? catalogue === null : pass === 'report' && search?.now !== undefined;
}

/** Null before pass 2. Histories hold no text by a model, so clients look up the title by id. */
function sectionProgress(
  pass: ReportPass,
  sections: readonly { id: string }[],
  doneSections: readonly string[],
): Progress['section'] {
  if (passNumber(pass) < passNumber('deep-dive') || sections.length === 0) return null;
  const shown =
    sections.find(({ id }) => !doneSections.includes(id)) ??
    sections.find(({ id }) => id === doneSections.at(-1));
  return { index: doneSections.length, of: sections.length, id: shown?.id ?? '', title: '' };
}

function sectionLines(sections: readonly { id: string }[], doneSections: readonly string[]): string[] {
  return [
    `  - ${doneSections.length} of ${sections.length} sections done`,
    ...sections.map(({ id }, index) => `  - ${doneSections.includes(id) ? '✓ ' : ''}Section ${index + 1}`),
  ];
}

async function concludeReport(run: ReportRun, status: FinalStatus): Promise<RunOutcome> {
  const { carried, input } = run;
  const left = pendingSourceCount(run);
  carried.closing = true;
  if (left > 0)
    addWarnings(carried, [
      {
        code: 'sources-left',
        message: `The run ended before it could take up ${formatCount(left, 'source')} that had been added.`,
      },
    ]);
  const { total, byPass } = runUsage(carried);
  const best = bestVersion(carried.versions ?? []);
  const judge = judgeSummary(carried.versions ?? []);
  const request = {
    run: run.facts,
    status,
    endedEarly: earlyEndReason(run, status),
    shortfalls: carried.shortfalls,
    noAnswer: carried.noAnswer === true,
    manifestRef: gatheredSources(run).sourceCount === 0 ? null : gatheredSources(run).manifestRef,
    asOf: input.asOf,
    catalogueRef: carried.catalogue?.ref ?? null,
    outlineRef: carried.outline?.ref ?? null,
    sections: carried.sections.map(({ id, findingsRef, draftRef }) => ({
      sectionId: id,
      findingsRef,
      draftRef,
    })),
    validatedRef: carried.validatedRef,
    frameRef: carried.frameRef,
    ...optionalTextRef(best?.text.textRef ?? carried.textRef),
    warnings: carried.warnings,
    usage: { ...total, byPass },
    ...(input.estimate === undefined ? {} : { estimate: input.estimate }),
    timings: { total: Date.now() - Date.parse(carried.startedAt), byPass: { ...carried.passMs } },
    ...(judge === null ? {} : { judge }),
    ...(input.since === undefined ? {} : { since: input.since }),
    ...(carried.search?.accountRef === undefined ? {} : { searchRef: carried.search.accountRef }),
  };
  const summary = 'pass 4 · assemble the report';
  const { citations: _counted, ...outcome } = await conclude(run, status, {
    store: (trial) => reportActivities.assembleReport.executeWithOptions({ summary, ...trial }, [request]),
    citations: ({ citations }) => citations,
    facts: ({ citations }) => [
      formatCount(citations, 'citation'),
      ...(best === null ? [] : [`score ${best.judged.overall} of 5`]),
    ],
  });
  return outcome;
}

function optionalTextRef(textRef: ArtifactRef | undefined): { textRef?: ArtifactRef } {
  return textRef === undefined ? {} : { textRef };
}

function handleReportMessages(run: ReportRun): void {
  const { inbox, carried } = run;
  inbox.take<SetOutline>('setOutline', {
    schema: SET_OUTLINE_SCHEMA,
    refusal: () =>
      carried.readingBegun === true || hasFinishedReading(run)
        ? 'Pass 2 has begun, so the outline stands: it can be set until the sources are read for its sections. Start the report again for another one.'
        : null,
    apply: (message) => applyOutline(run, message),
  });
  inbox.take<PlainMessage>('approveOutline', {
    schema: PLAIN_MESSAGE_SCHEMA,
    refusal: () => approvalRefusal(run),
    apply: () => {
      carried.approval = { leftMs: 0, isAwaited: false, isOver: true };
      return {
        said: run.isPaused
          ? 'The outline is approved; the run is paused, and goes on with it when it is resumed.'
          : 'The outline is approved: the run goes on with it.',
      };
    },
  });
  const takeInTurn = createSerialQueue();
  inbox.take<AddSources>('addSources', {
    schema: ADD_SOURCES_SCHEMA,
    refusal: () =>
      carried.closing === true
        ? 'The report is being put together for the last time, so nothing can be added to it. Start it again with all sources.'
        : null,
    apply: (message) => takeInTurn(() => applyAddedSources(run, message)),
  });
  const take = async (message: AddSources): Promise<void> => {
    try {
      await inbox.receive('addSources', message);
    } catch (error) {
      // A signal has no caller, so the failure becomes a warning.
      if (!(error instanceof ApplicationFailure)) throw error;
      run.signals.refused(`Sources could not be added: ${error.message}`);
    }
  };
  onSignal(addSourcesSignal, [ADD_SOURCES_SCHEMA], run.signals, (message) => void take(message));
}

function hasFinishedReading({ carried: { finishedPasses } }: ReportRun): boolean {
  return finishedPasses.includes('deep-dive');
}

function approvalRefusal({ input, carried: { approval, readingBegun } }: ReportRun): string | null {
  if (input.approval === undefined)
    return 'This report does not wait for approval: it was started without it, and goes on by itself.';
  if (approval?.isOver === true || readingBegun === true)
    return 'The report waits for approval no more: it goes on with its outline.';
  return approval?.isAwaited === true ? null : 'There is no outline yet to approve of: pass 1 has not ended.';
}

async function applyOutline(run: ReportRun, { outlineRef }: SetOutline): Promise<{ said: string }> {
  const { runId } = run.input;
  const { problems, sections } = await checkMessage(() =>
    reportActivities.checkOutline.executeWithOptions({ summary: 'look at an outline', ...MESSAGE_OPTIONS }, [
      { runId, outlineRef },
    ]),
  );
  if (problems.length > 0) throw unusableMessage(problems);
  // Pass 2 may have begun during the check.
  if (run.carried.readingBegun === true)
    throw unusableMessage(['pass 2 began while the outline was looked at, so the one before stands']);
  run.carried.wantedOutlineRef = outlineRef;
  return {
    said: `An outline of ${formatCount(sections, 'section')} takes the place of the planned one before pass 2.`,
  };
}

type AddedSources = { said: string; added: number; known: number };

async function applyAddedSources(
  run: ReportRun,
  { manifestRef, sourceCount }: Pick<AddSources, 'manifestRef' | 'sourceCount'>,
): Promise<AddedSources> {
  const { carried, input } = run;
  const before = inputSources(run);
  const givenRef = before.sourceCount === 0 ? null : before.manifestRef;
  const admitted = await checkMessage(() =>
    computeActivities.admitSources.executeWithOptions(
      { summary: 'look at added sources', ...MESSAGE_OPTIONS },
      [{ runId: input.runId, manifestRef, sourceCount, givenRef }],
    ),
  );
  const { problems, added, known } = admitted;
  if (problems.length > 0) throw unusableMessage(problems);
  if (inputSources(run).sourceCount !== before.sourceCount)
    return applyAddedSources(run, { manifestRef, sourceCount });
  if (carried.closing === true)
    throw unusableMessage(['the report was put together while the sources were looked at; start it again']);
  const there =
    known === 0 ? '' : ` ${formatCount(known, 'source')} ${known === 1 ? 'is' : 'are'} there already.`;
  if (admitted.givenRef === null) return { said: `Nothing is new:${there}`, added, known };
  carried.given = appendSources(before, admitted);
  return { said: `${formatCount(added, 'source')} ${joinDescription(run, added)}.${there}`, added, known };
}

function joinDescription({ carried }: ReportRun, added: number): string {
  const verb = added === 1 ? 'joins' : 'join';
  if (carried.taken === undefined && carried.catalogue === null) return `${verb} from the beginning`;
  if (carried.readingBegun !== true) return `${verb} before pass 2`;
  return `${verb} in passes 2 to 4, which run once more over all sources`;
}

/** The sender may send the message again. */
async function checkMessage<Result>(look: () => Promise<Result>): Promise<Result> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    throw unusableMessage([`it could not be looked at (${causeMessage(error)}); send it again`]);
  }
}

function unusableMessage(problems: readonly string[]): ApplicationFailure {
  return ApplicationFailure.create({
    message: problems.join('; '),
    type: MESSAGE_NOT_USABLE,
    nonRetryable: true,
    details: [{ problems }],
  });
}

/** Each call depends on the state that the previous one left. */
function createSerialQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Null before the end of pass 1. */
const outlineQuery = defineQuery<OutlineAnswer | null>('outline');
