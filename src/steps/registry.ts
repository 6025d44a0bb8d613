import type { z } from 'zod';
import { answer } from './answer-question';
import { auditText, mendText } from './audit-text';
import { crossCheck } from './cross-check';
import { extractFindings } from './extract-findings';
import { judge } from './judge';
import { mergeOutlines, outline, scoreRelevance } from './outline-sections';
import { planSearch, rewriteQuestion } from './search-queries';
import { compress, summarise } from './summarise';
import { planBrief, writeBriefPart, writeSection, writeSummary } from './write-rows';
import { writeText } from './write-text';

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

/** Runs are pinned to the versions at their start. */
export const stepVersions: Record<string, string> = Object.fromEntries(
  STEPS.map(({ name, version }) => [name, version]),
);
