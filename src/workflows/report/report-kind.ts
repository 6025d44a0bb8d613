import type { RunBrief } from '../../activities/shared/ports';
import type { ReportRunInput } from '../../contracts/report/report-run';
import type { ReportPass } from '../../contracts/report/passes';
import { PASS_NAMES, passMessage } from '../../core/run/pass-messages';
import { percentDone } from '../../core/run/progress';
import { answerQuery } from '../run/handlers';
import type { Kind } from '../run/kind';
import { nothingMade, type CarriedReport } from './carried-report';
import { carryOutPasses } from './carry-out-passes';
import { concludeReport } from './conclude-report';
import { givenSources, takenSources, waitingSources } from './steering/given-sources';
import { STATE_VERSION, WRITING_FUND, WRITING_SHARE } from './in-histories';
import { readReportStart } from './input/read-report-start';
import { outlineQuery } from './messages';
import { reportBrief } from './report-brief';
import { takeReportMessages } from './steering/take-messages';
import { approvalLines } from './steering/approval';
import { sectionLines, sectionsDone } from './sections-done';

/** What a report says of itself. */
export const REPORT: Kind<ReportRunInput, CarriedReport, RunBrief> = {
  name: 'report',
  passes: PASS_NAMES.map((name) => ({
    name,
    role: name === 'gather' || name === 'overview' ? 'fast' : 'strong',
    ...(name === 'report' ? { fund: WRITING_FUND } : {}),
    message: (input, carried) =>
      passMessage(name, {
        sources: carried.catalogue?.sources ?? givenSources({ input, carried }).sourceCount,
        inFull: input.synthesis.enableMultiPass ? input.synthesis.pass2FullContentCount : Infinity,
      }),
  })),
  stateVersion: STATE_VERSION,
  insteadOfUnfinished: 'so the report has what there was until then',
  readInput: (given, run) => readReportStart(given, run, { sourcesMayCome: true }),
  fundShare: WRITING_SHARE,
  takeMessages: takeReportMessages,
  sourcesWaiting: (carried, input) => waitingSources({ input, carried }),
  begin: nothingMade,
  brief: (input, carried) => ({
    ...reportBrief({ ...input, sourceCount: takenSources({ input, carried }).sourceCount }),
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
