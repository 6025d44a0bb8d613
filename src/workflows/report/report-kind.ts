import type { ReportFacts } from '../../activities/shared/ports';
import type { ReportRunInput } from '../../contracts/report/report-run';
import type { ReportPass } from '../../contracts/report/passes';
import { PASS_NAMES, passMessage, passNumber } from '../../core/run/pass-messages';
import { percentDone } from '../../core/run/progress';
import { answerQuery } from '../run/handlers';
import type { Kind, FinalStatus } from '../run/kind';
import { nothingMade, type CarriedReport, type ReportRun } from './carried-report';
import { carryOutPasses } from './carry-out-passes';
import { givenSources, takenSources, waitingSources } from './steering/given-sources';
import { readReportStart } from './input/read-report-start';
import { reportFacts } from './report-facts';
import { takeReportMessages } from './steering/take-messages';
import { approvalLines } from './steering/approval';
import type { Progress, RunOutcome } from '../../contracts/run/run';
import { conclude, endedEarly } from '../run/conclude';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { keepWarnings } from '../run/carried-run';
import { bestVersion, judgeOf } from '../run/judging/versions';
import { searchMessage } from '../run/search/carried-search';
import { counted, usageOf } from '../run/publishing/run-mirror';
import { activities } from './activities';
import { defineQuery } from '@temporalio/workflow';
import type { OutlineAnswer } from '../../contracts/run/run-messages';

export const REPORT: Kind<ReportRunInput, CarriedReport, ReportFacts> = {
  name: 'report',
  passes: PASS_NAMES.map((name) => ({
    name,
    role: name === 'gather' || name === 'overview' ? 'fast' : 'strong',
    message: (input, carried) =>
      (isSearching(name, carried) ? searchMessage(input.search, carried.search) : null) ??
      passMessage(name, {
        sources: carried.catalogue?.sources ?? givenSources({ input, carried }).sourceCount,
        inFull: input.synthesis.enableMultiPass ? input.synthesis.pass2FullContentCount : Infinity,
      }),
  })),
  insteadOfUnfinished: 'so the report has what there was until then',
  readInput: (given, run) => readReportStart(given, run, { sourcesMayCome: true }),
  takeMessages: takeReportMessages,
  sourcesWaiting: (carried, input) => waitingSources({ input, carried }),
  begin: nothingMade,
  facts: (input, carried) => ({
    ...reportFacts({ ...input, sourceCount: takenSources({ input, carried }).sourceCount }),
    ...(carried.addedRounds === undefined ? {} : { round: carried.addedRounds }),
  }),
  percentDone,
  section: (pass: ReportPass, { sections }, done) => sectionsDone(pass, sections, done),
  detailLines: (pass: ReportPass, { sections, approval }, done) => [
    ...approvalLines(approval),
    ...(sectionsDone(pass, sections, done) === null ? [] : sectionLines(sections, done)),
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
    answerQuery(outlineQuery, () =>
      carried.outline === null
        ? null
        : {
            ref: carried.outline.ref,
            sections: carried.sections.map(({ id, sources }) => ({ id, sources })),
          },
    );
  },
  carryOut: carryOutPasses,
  conclude: concludeReport,
};

function isSearching(pass: ReportPass, { catalogue, search }: CarriedReport): boolean {
  return pass === 'gather' ? catalogue === null : pass === 'report' && search?.now !== undefined;
}

/**
 * How many sections the pass is done with, and one that is under way or was done last; null before there are any. Its title
 * is no part of a history: who asks looks it up by the id.
 */
function sectionsDone(
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
  const left = waitingSources(run);
  carried.closing = true;
  if (left > 0)
    keepWarnings(carried, [
      {
        code: 'sources-left',
        message: `The run ended before it could take up ${counted(left, 'source')} that had been added.`,
      },
    ]);
  const { total, byPass } = usageOf(carried);
  const best = bestVersion(carried.versions ?? []);
  const judge = judgeOf(carried.versions ?? []);
  const request = {
    run: run.facts,
    status,
    endedEarly: endedEarly(run, status),
    shortfalls: carried.shortfalls,
    noAnswer: carried.noAnswer === true,
    manifestRef: takenSources(run).sourceCount === 0 ? null : takenSources(run).manifestRef,
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
    ...textOf(best?.text.textRef ?? carried.textRef),
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
    store: (trial) => activities.assembleReport.executeWithOptions({ summary, ...trial }, [request]),
    citations: ({ citations }) => citations,
    facts: ({ citations }) => [
      counted(citations, 'citation'),
      ...(best === null ? [] : [`score ${best.judged.overall} of 5`]),
    ],
  });
  return outcome;
}

function textOf(textRef: ArtifactRef | undefined): { textRef?: ArtifactRef } {
  return textRef === undefined ? {} : { textRef };
}

/** Null before pass 1 has ended. */
const outlineQuery = defineQuery<OutlineAnswer | null>('outline');
