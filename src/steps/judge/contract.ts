import { z } from 'zod';
import { JudgedDocument } from '../../contracts/judge/judged-document';
import { JudgeOpinion } from '../../contracts/judge/judgement';
import { JudgeSettings } from '../../contracts/judge/rubric';

export const JudgeInput = z.object({ document: JudgedDocument, settings: JudgeSettings });
export type JudgeInput = z.infer<typeof JudgeInput>;

export const JudgeOutput = JudgeOpinion;
export type JudgeOutput = JudgeOpinion;
