import { Answer } from '../../contracts/answer/answer';
import { AnswerStart } from '../../contracts/answer/answer-start';
import { conversationLog } from '../../core/run/kept-names';
import { readArtifact } from '../pass-results/read-pass-result';
import { findRun, type StartRecords } from '../described-run';
import { readInputOf } from '../read-run-input';
import type { Corpus } from './answer-request';

/** A turn of a conversation; the answer is null where it was deleted. */
export interface KeptTurn {
  requestId: string;
  question: string;
  answer: Answer | null;
}

/** A conversation as far as it is kept. */
export interface KeptConversation {
  turns: KeptTurn[];
  /** What its latest question was asked of; null where that had no sources, or is forgotten. */
  corpus: Corpus | null;
}

export async function keptConversation(
  records: StartRecords,
  conversationId: string,
): Promise<KeptConversation> {
  const turns: KeptTurn[] = [];
  for (const event of await records.events.read(conversationLog(conversationId))) {
    if (event.type !== 'turn') continue;
    const { requestId, question, answerRef } = event.payload;
    turns.push({ requestId, question, answer: await readArtifact(records.content, answerRef, Answer) });
  }
  const latest = turns.at(-1);
  return { turns, corpus: latest === undefined ? null : await corpusOf(records, latest.requestId) };
}

async function corpusOf(records: StartRecords, requestId: string): Promise<Corpus | null> {
  const described = await findRun(records, requestId);
  const input = described === null ? null : await readInputOf(records.client, described, AnswerStart);
  const { manifestRef, sourceCount = 0 } = input ?? {};
  return manifestRef === undefined ? null : { manifestRef, count: sourceCount };
}
