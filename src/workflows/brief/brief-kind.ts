import type { BriefFacts } from '../../activities/brief/brief-facts';
import type { BriefRunInput } from '../../contracts/brief/brief-run';
import { BRIEF_PASSES, type BriefPass } from '../../contracts/brief/passes';
import type { Progress } from '../../contracts/run/run';
import { briefMessage, briefPercentDone, type BriefCounts } from '../../core/run/brief-messages';
import { answerQuery } from '../run/handlers';
import type { Kind } from '../run/kind';
import { judgedOnes, judgeOf } from '../run/judging/versions';
import { nothingWritten, type CarriedBrief } from './carried-brief';
import { carryOutBrief } from './carry-out-brief';
import { concludeBrief } from './conclude-brief';
import { STATE_VERSION, WRITING_FUND } from './in-histories';
import { readBriefStart } from './input/read-brief-start';
import { versionsQuery } from './messages';
import { inWritingOrder } from './writing/writing-order';

/** What a brief says of itself. */
export const BRIEF: Kind<BriefRunInput, CarriedBrief, BriefFacts> = {
  name: 'brief',
  passes: BRIEF_PASSES.map((name) => ({
    name,
    role: name === 'gather' ? 'fast' : 'strong',
    ...(name === 'gather' ? {} : { fund: WRITING_FUND }),
    message: (input, carried) => briefMessage(name, countsOf(input, carried)),
  })),
  stateVersion: STATE_VERSION,
  insteadOfUnfinished: 'so the brief has what there was until then',
  readInput: readBriefStart,
  begin: nothingWritten,
  brief: ({ runId, question, engine, models = null, stepVersions, brief, judge }) => ({
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
  { gathered, checked, planned, drafts, versions, revising }: CarriedBrief,
): BriefCounts {
  return {
    subtopics: gathered?.subtopics.length ?? subtopicCount ?? null,
    checked,
    parts:
      planned === null || planned.isOneCall ? null : { written: drafts.length, of: planned.parts.length },
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

/** Which part is written; its title is no part of a history: who asks looks it up in the plan by the id. */
function partUnderWay(pass: BriefPass, { planned, drafts }: CarriedBrief): Progress['section'] {
  if (pass !== 'write' || planned === null) return null;
  const written = drafts.map(({ partId }) => partId);
  const order = inWritingOrder(planned.parts.map(({ id }) => id));
  const shown = order.find((id) => !written.includes(id)) ?? written.at(-1) ?? '';
  return { index: written.length, of: planned.parts.length, id: shown, title: '' };
}

function partLines({ planned, drafts }: CarriedBrief): string[] {
  const parts = planned?.parts ?? [];
  const written = drafts.map(({ partId }) => partId);
  return [
    `  - ${written.length} of ${parts.length} parts written`,
    ...parts.map(({ id }) => `  - ${written.includes(id) ? '✓ ' : ''}${id}`),
  ];
}
