import { RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { ANSWER_TEXT } from '../../core/settled-text/answer-text';
import {
  charsInWindow,
  DEFAULT_CONTEXT_TOKENS,
  MAX_CRITIQUE_CHARS,
  MAX_HISTORY_CHARS,
} from '../../core/budget/call-estimates';
import { modelOfPass } from '../../core/budget/model-of-pass';
import { NO_USAGE } from '../../core/budget/usage';
import { answer } from '../../steps/answer/answer';
import type { ContextPassage } from '../../steps/answer/contract';
import { compress } from '../../steps/compress/compress';
import { readShared, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import { runStep, type Spent } from '../shared/run-step';
import { type AnswerFacts } from './answer-facts';

export interface CompressContextInput {
  run: AnswerFacts;
  attempt: number;
  passagesRef: ArtifactRef;
}

export interface CompressedContext extends Spent {
  /** The passages as the writer reads them; null where they stay as they are. */
  contextRef: ArtifactRef | null;
  isCompressed: boolean;
  originalChars: number;
  compressedChars: number;
}

/**
 * Shortens a context that is too long: the best passages stay whole, and of the others stands what they say with every number
 * (document 004). What fits is read as it is: each sentence that is left out is one that cannot be cited.
 */
export async function compressContext(
  ports: ActivityPorts,
  { run, attempt, passagesRef }: CompressContextInput,
  signal: AbortSignal,
): Promise<CompressedContext> {
  const { passages } = await readShared(ports.content, passagesRef, RetrievedPassages);
  const { compressAboveChars = roomOf(run), keptWhole, compressedChars: maxChars } = run.answers;
  const originalChars = charsOf(passages);
  const low = passages.slice(keptWhole).filter(({ text }) => text.length >= maxChars);
  if (originalChars <= compressAboveChars || low.length === 0) {
    const asItIs = { contextRef: null, isCompressed: false, originalChars, compressedChars: originalChars };
    return { ...asItIs, usage: NO_USAGE, warnings: [] };
  }
  const { output, usage, warnings } = await runStep(
    ports,
    run,
    compress,
    { question: run.question, passages: low.map(({ id, text }) => ({ id, text })), maxChars },
    { place: { pass: 0, section: ANSWER_TEXT, revision: attempt - 1 }, signal },
  );
  const said = new Map(output.summaries.map(({ id, text }) => [id, text]));
  const context = passages.map((passage): ContextPassage => {
    const compressed = said.get(passage.id);
    return compressed === undefined ? passage : { ...passage, compressed };
  });
  return {
    contextRef: await storeArtifact(ports.content, run.runId, context),
    isCompressed: true,
    originalChars,
    compressedChars: charsOf(context),
    usage,
    warnings,
  };
}

function roomOf({ models }: AnswerFacts): number {
  const { contextTokens } = models ? modelOfPass(models, answer.role, 0) : {};
  return charsInWindow(contextTokens ?? DEFAULT_CONTEXT_TOKENS) - MAX_HISTORY_CHARS - MAX_CRITIQUE_CHARS;
}

function charsOf(passages: readonly ContextPassage[]): number {
  return passages.reduce((sum, { text, compressed }) => sum + (compressed ?? text).length, 0);
}
