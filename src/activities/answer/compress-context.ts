import { RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { ANSWER_TEXT } from '../../core/settled-text/answer-text';
import { NO_USAGE } from '../../core/budget/usage';
import type { ContextPassage } from '../../steps/answer/contract';
import { compress } from '../../steps/compress/compress';
import { readShared, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import { runStep, type Spent } from '../shared/run-step';
import { type AnswerBrief } from './answer-brief';

export interface CompressContextInput {
  run: AnswerBrief;
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

/** Shortens a long context: the best passages stay whole, and of the others stands what they say with every number (document 004). */
export async function compressContext(
  ports: ActivityPorts,
  { run, attempt, passagesRef }: CompressContextInput,
  signal: AbortSignal,
): Promise<CompressedContext> {
  const { passages } = await readShared(ports.content, passagesRef, RetrievedPassages);
  const { compressAboveChars, keptWhole, compressedChars: maxChars } = run.answers;
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

function charsOf(passages: readonly ContextPassage[]): number {
  return passages.reduce((sum, { text, compressed }) => sum + (compressed ?? text).length, 0);
}
