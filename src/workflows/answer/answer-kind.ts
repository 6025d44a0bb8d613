import type { AnswerBrief } from '../../activities/answer/answer-brief';
import type { AnswerRunInput } from '../../contracts/answer/answer-run';
import type { Kind } from '../run/kind';
import { readAnswerStart } from './input/read-answer-start';
import { nothingAnswered, type CarriedAnswer } from './carried-answer';
import { carryOutAnswer } from './carry-out-answer';
import { concludeAnswer } from './conclude-answer';
import { STATE_VERSION } from './in-histories';
import type { ReplyBox } from './reply-box';
import { traceLine } from './trace-line';

/** What an answer says of itself; its reply goes into the box. */
export function answerKind(box: ReplyBox): Kind<AnswerRunInput, CarriedAnswer, AnswerBrief> {
  return {
    name: 'answer',
    passes: [{ name: 'answer', role: 'fast', message: () => 'Answering…' }],
    stateVersion: STATE_VERSION,
    insteadOfUnfinished: 'so the reply has what there was until then',
    readInput: readAnswerStart,
    begin: nothingAnswered,
    brief: ({ runId, question, engine, models = null, stepVersions, answers, conversationId }) => ({
      runId,
      question,
      engine,
      models,
      stepVersions,
      answers,
      ...(conversationId === undefined ? {} : { conversationId }),
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
