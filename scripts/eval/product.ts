// What is measured is the built product, as a user has it: `#built/…` (package.json) is typed by src/ and carried out from dist/.
// All that is taken of its inside stands here, so that who moves a file of src changes a line of this one.
export { ANSWERABLE_THRESHOLD as ANSWERED_FROM, answerableProbability } from '#built/text/answerability';
export { AnswerInput, AnswerOutput } from '#built/steps/answer-question';
export { AnswerSettings } from '#built/contracts/run-settings';
export { assembleReport } from '#built/activities/report-versions';
export { supportScoreOn as bearingScoreOn } from '#built/evidence/support-score';
export { catalogueSources } from '#built/activities/catalogue-sources';
export { crossCheckSection } from '#built/activities/cross-check-section';
export { deepDiveSection } from '#built/activities/deep-dive';
export { planOutline } from '#built/activities/plan-outline';
export { rankSources } from '#built/activities/section-findings';
export { reconcileFindings } from '#built/activities/cross-check-section';
export { scoreSources } from '#built/activities/plan-outline';
export { seekSupport } from '#built/activities/cross-check-section';
export { settleOutline } from '#built/activities/plan-outline';
export { summariseBatch } from '#built/activities/summarise-sources';
export { writeSection } from '#built/activities/write-section';
export { writeSummary } from '#built/activities/write-section';
export { absentNumbers, withNumbers as numberedTexts } from '#built/evidence/claim-tokens';
export {
  candidatesOf,
  findPassages,
  finalizeRetrieval as settleRetrieval,
  wordingsOf,
} from '#built/text/retrieval';
export { findViewpoints } from '#built/evidence/viewpoints';
export { questionColumns as columnsOf, FEATURES, featuresOf } from '#built/text/features';
export { buildCorpusIndex } from '#built/text/corpus-index';
export { createExtractiveEngine } from '#built/engines/extractive/module';
export { createCachingEncoder as createRememberingEncoder } from '#built/text/encoder';
export { createThreadPool } from '#built/engines/thread-pool';
export { createVerifier } from '#built/evidence/verifier';
export { estimateTokens } from '#built/contracts/budget';
export { evenBatches } from '#built/lib/iterables';
export { groupBy as groupedBy } from '#built/lib/iterables';
export { importSources } from '#built/sources/import-sources';
export { indexPassage } from '#built/evidence/support-score';
export { indexSources } from '#built/text/collection';
export { isQuotable } from '#built/text/sentence-selection';
export { NO_TRACES } from '#built/activities/external-ports';
export { openOnnxEncoder } from '#built/text/onnx-encoder';
export { openStores } from '#built/stores/open-stores';
export { passagesToRank } from '#built/text/passage-ranking';
export { rankByMeaning } from '#built/text/ranking';
export { rankPassages } from '#built/text/passage-ranking';
export { rankSentences } from '#built/text/ranking';
export { READER_WEIGHTS, answerLogOdds as scoreOf, orderWeights as weightsNamed } from '#built/text/features';
export { readIndexed } from '#built/text/features';
export { readQuestion } from '#built/text/question';
export { readSources } from '#built/sources/read-sources';
export { Report } from '#built/contracts/report';
export { runExtractiveStep } from '#built/engines/extractive/extractive-steps';
export { sentencesOfSource } from '#built/text/collection';
export { finalizeAnswer as settleAnswer } from '#built/report/answer-draft';
export { splitSentences } from '#built/text/sentences';
export { stepVersions } from '#built/steps/registry';
export { SynthesisSettings } from '#built/contracts/run-settings';
export { terms } from '#built/text/words';
export { verifyClaim } from '#built/evidence/verify-claim';
export { withoutCitationMarks } from '#built/evidence/support-score';
export { writeReply } from '#built/report/write-reply';
