import type { AnswerRunInput } from '../../../contracts/answer/answer-run';

type Given<Field extends keyof AnswerRunInput> = AnswerRunInput[Field] | undefined;

export interface AdmitAnswerInput {
  runId: string;
  engine: AnswerRunInput['engine'];
  history: AnswerRunInput['history'];
  historyRef: Given<'historyRef'>;
  maxHistory: number;
  observations: Given<'observations'>;
  observationsRef: Given<'observationsRef'>;
  documents: Given<'documents'>;
  manifestRef: Given<'manifestRef'>;
  sourceCount: number;
  finalOutput: Given<'finalOutput'>;
  finalOutputRef: Given<'finalOutputRef'>;
  critique: Given<'critique'>;
  search?: Given<'search'>;
}
