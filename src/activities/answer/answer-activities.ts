import type { ActivityOf, Bind } from '../shared/under-temporal';
import { admitAnswer, type AdmittedAnswer } from './admit-answer';
import { assembleAnswer, type AssembledAnswer } from './assemble-answer';
import { auditAnswer, type AuditAnswerInput, type AuditedAnswer } from './audit-answer';
import { compressContext, type CompressContextInput, type CompressedContext } from './compress-context';
import { concludeAnswer, type ConcludeAnswerInput, type ConcludedAnswer } from './conclude-answer';
import { indexCorpus, type IndexCorpusInput, type IndexedCorpus } from './index-corpus';
import type { AdmitAnswerInput } from './material/admit-answer-input';
import { retrievePassages, type RetrievedRefs, type RetrievePassagesInput } from './retrieve-passages';
import { rewriteQuestion, type RewriteQuestionInput, type RewrittenQuestion } from './rewrite-question';
import { writeAnswer, type WriteAnswerInput, type WrittenAnswer } from './write-answer';

/** What is done for an answer alone, by the names that histories know. */
export interface AnswerActivities {
  admitAnswer: ActivityOf<AdmitAnswerInput, AdmittedAnswer>;
  indexCorpus: ActivityOf<IndexCorpusInput, IndexedCorpus>;
  retrievePassages: ActivityOf<RetrievePassagesInput, RetrievedRefs>;
  rewriteQuestion: ActivityOf<RewriteQuestionInput, RewrittenQuestion>;
  compressContext: ActivityOf<CompressContextInput, CompressedContext>;
  writeAnswer: ActivityOf<WriteAnswerInput, WrittenAnswer>;
  auditAnswer: ActivityOf<AuditAnswerInput, AuditedAnswer>;
  concludeAnswer: ActivityOf<ConcludeAnswerInput, ConcludedAnswer>;
  assembleAnswer: ActivityOf<ConcludeAnswerInput, AssembledAnswer>;
}

export function answerActivities(bind: Bind): AnswerActivities {
  return {
    admitAnswer: bind(admitAnswer),
    indexCorpus: bind(indexCorpus),
    retrievePassages: bind(retrievePassages),
    rewriteQuestion: bind(rewriteQuestion),
    compressContext: bind(compressContext),
    writeAnswer: bind(writeAnswer),
    auditAnswer: bind(auditAnswer),
    concludeAnswer: bind(concludeAnswer),
    assembleAnswer: bind(assembleAnswer),
  };
}
