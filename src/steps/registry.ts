import type { z } from 'zod';
import { answer } from './answer/answer';
import { auditText } from './audit-text/audit-text';
import { compress } from './compress/compress';
import { crossCheck } from './cross-check/cross-check';
import { extractFindings } from './extract-findings/extract-findings';
import { judge } from './judge/judge';
import { mendText } from './mend-text/mend-text';
import { mergeOutlines } from './merge-outlines/merge-outlines';
import { outline } from './outline/outline';
import { planBrief } from './plan-brief/plan-brief';
import { planSearch } from './plan-search/plan-search';
import { rewriteQuestion } from './rewrite-question/rewrite-question';
import { scoreRelevance } from './score-relevance/score-relevance';
import { summarise } from './summarise/summarise';
import { writeBriefPart } from './write-brief-part/write-brief-part';
import { writeSection } from './write-section/write-section';
import { writeText } from './write-text/write-text';
import { writeSummary } from './write-summary/write-summary';

export const STEPS = [
  summarise,
  outline,
  mergeOutlines,
  scoreRelevance,
  extractFindings,
  crossCheck,
  writeSection,
  writeSummary,
  writeText,
  auditText,
  mendText,
  rewriteQuestion,
  planSearch,
  compress,
  answer,
  planBrief,
  writeBriefPart,
  judge,
] as const;

type RegisteredStep = (typeof STEPS)[number];

export type StepName = RegisteredStep['name'];

export type InputOf<Name extends StepName> = z.infer<Extract<RegisteredStep, { name: Name }>['input']>;
export type OutputOf<Name extends StepName> = z.infer<Extract<RegisteredStep, { name: Name }>['output']>;
