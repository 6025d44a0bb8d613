import type { AnswerFacts } from '../../activities/answer/answer-facts';
import type { AnswerRunInput } from '../../contracts/answer/answer-run';
import type { Kind, FinalStatus } from '../run/kind';
import { readAnswerStart } from './input/read-answer-start';
import { nothingAnswered, type CarriedAnswer, type AnswerRun } from './carried-answer';
import { carryOutAnswer } from './carry-out-answer';
import type { ReplyBox } from './reply-box';
import type { AnswerTraceEntry } from '../../contracts/answer/answer-telemetry';
import { searchMessage } from '../run/search/carried-search';
import { counted } from '../run/publishing/run-mirror';
import { TemporalFailure } from '@temporalio/workflow';
import { conclude } from '../run/conclude';
import type { RunOutcome } from '../../contracts/run/run';
import { bestVersion, judgeOf } from '../run/judging/versions';
import { activities } from './activities';
import { replyRequest } from './reply-request';

export function answerKind(box: ReplyBox): Kind<AnswerRunInput, CarriedAnswer, AnswerFacts> {
  return {
    name: 'answer',
    passes: [
      {
        name: 'answer',
        role: 'fast',
        message: ({ search }, carried) =>
          (carried.search?.now === undefined ? null : searchMessage(search, carried.search)) ?? 'Answering…',
      },
    ],
    insteadOfUnfinished: 'so the reply has what there was until then',
    readInput: readAnswerStart,
    begin: nothingAnswered,
    facts: ({ runId, question, engine, models = null, stepVersions, answers }) => ({
      runId,
      question,
      engine,
      models,
      stepVersions,
      answers,
    }),
    percentDone: (_pass, { done, of }) => (of === 0 ? 0 : Math.round((100 * Math.min(done, of)) / of)),
    section: () => null,
    detailLines: (_pass, { trace }) => trace.map(traceLine),
    passRefs: ({ answerRef }) => (answerRef === null ? {} : { answer: answerRef }),
    hasFindings: ({ standing }) => standing !== null,
    answerQueries: () => undefined,
    carryOut: carryOutAnswer,
    conclude: (run, status) => concludeAnswer(run, status, box),
  };
}

/** What was done, in short, as an item of a Markdown list for the Web UI. */
function traceLine(entry: AnswerTraceEntry): string {
  switch (entry.node) {
    case 'retriever':
      return `  - ${entry.attempt}: ${counted(entry.passages, 'passage')} of ${counted(entry.documents, 'document')}${entry.broader ? ', more broadly' : ''}`;
    case 'synthesizer':
      return `  - ${entry.retry_count + 1}: ${counted(entry.answer_length, 'character')} with ${counted(entry.citations, 'citation')} from ${counted(entry.context_chars, 'character')}${entry.over_compression_flag ? ', over-compressed' : ''}`;
    case 'critic':
      return `  - ${entry.attempt}: ${entry.supported} of ${counted(entry.claims, 'claim')} supported`;
    case 'supervisor':
      return `  - ${entry.attempt}: ${entry.decision} (${entry.reason})`;
  }
}

async function concludeAnswer(run: AnswerRun, status: FinalStatus, box: ReplyBox): Promise<RunOutcome> {
  const { attempts, measured, versions = [] } = run.carried;
  const { since, manifestRef = null, history } = run.input;
  const judge = judgeOf(versions);
  const { accountRef } = run.carried.search ?? {};
  const request = {
    ...replyRequest(run, bestVersion(versions)?.text ?? run.carried.standing, status),
    failure: failureOf(run, status),
    ...(judge === null ? {} : { judge }),
    ...(accountRef === undefined ? {} : { searchRef: accountRef }),
    ...(since === undefined ? {} : { since: { before: since, manifestRef } }),
  };
  const cited = measured.at(-1)?.metrics.citationCount ?? 0;
  const summary = `reply · ${counted(attempts, 'attempt')}, ${counted(cited, 'citation')}, ${request.latencyMs} ms`;
  try {
    const { answer: _told, ...outcome } = await conclude(run, status, {
      async store(trial) {
        const stored = await activities.concludeAnswer.executeWithOptions({ summary, ...trial }, [request]);
        run.carried.answerRef = stored.reportRef;
        return stored;
      },
      citations: ({ answer }) => answer.citations.length,
      facts: ({ answer }) => [
        answer.outcome,
        `confidence ${answer.confidence}`,
        counted(answer.citations.length, 'citation'),
        ...(answer.judge ? [`score ${answer.judge.overall} of 5`] : []),
      ],
      tell: ({ answer }) => box.put(answer, history),
    });
    return outcome;
  } catch (error) {
    if (error instanceof TemporalFailure) box.fail(error);
    throw error;
  }
}

/** Why the reply is no better than it is, as a sentence; null where it was carried out to its end. */
function failureOf({ carried: { failure }, clock }: AnswerRun, status: FinalStatus): string | null {
  if (failure !== null) return failure;
  if (clock.timeIsUp) return 'The time allowed for the answer was over.';
  return status === 'cancelled' ? 'The request was cancelled.' : null;
}
