import { RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { COMPRESS_ABOVE_CHARS } from '../../core/passages/answer-reading';
import { ANSWER_TEXT } from '../../core/settled-text/answer-text';
import { NO_USAGE } from '../../core/budget/usage';
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
  /** Whether the passages are all that the sources say. */
  isWhole: boolean;
  /** Whether more broadly was looked: so much stays whole then that the context is not over-compressed. */
  isBroadened: boolean;
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
 * (document 004). Whole sources are shortened only where the caller set a length.
 */
export async function compressContext(
  ports: ActivityPorts,
  { run, attempt, passagesRef, isWhole, isBroadened }: CompressContextInput,
  signal: AbortSignal,
): Promise<CompressedContext> {
  const { passages } = await readShared(ports.content, passagesRef, RetrievedPassages);
  const { compressedChars: maxChars, overCompressionBelow } = run.answers;
  const compressAboveChars = run.answers.compressAboveChars ?? (isWhole ? Infinity : COMPRESS_ABOVE_CHARS);
  const originalChars = charsOf(passages);
  let { keptWhole } = run.answers;
  const leastWhole = isBroadened ? overCompressionBelow * originalChars : 0;
  while (charsOf(passages.slice(0, keptWhole)) < leastWhole) keptWhole += 1;
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

function charsOf(passages: readonly ContextPassage[]): number {
  return passages.reduce((sum, { text, compressed }) => sum + (compressed ?? text).length, 0);
}
