import { answers } from '../../model-server/behaviours';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import type { Behaviour, RecordedRequest } from '../../model-server/model-server';
import { materialIn, stepOfPrompt } from '../../model-server/prompt-material';
import { INVENTED_CLAIM, OBSERVATIONS, TRUE_CLAIM } from '../../support/answer-script';
import type { Question } from '../../support/ask-answer';

const model = (name: string) => ({ name, contextTokens: 128_000, price: null });

/** What it is asked. */
export const ASKED = {
  question: 'What does DAIL-SQL use, and how accurate is it?',
  observations: OBSERVATIONS,
  engine: 'openai',
  models: { fast: model('small'), strong: model('large'), critic: model('large') },
} satisfies Question;

/** A model that writes what is right and what it invents, and deletes what it is told is wrong. */
export function inventingModel(): (request: RecordedRequest) => Behaviour {
  const good = createGoodModel();
  return (request) =>
    isWriting(request)
      ? answers(`${cited(request, TRUE_CLAIM, 'example-based')} ${cited(request, INVENTED_CLAIM, 'Spider')}`)
      : good.answer(request);
}

export function isWriting(request: RecordedRequest): boolean {
  return stepOfPrompt(...messagesOf(request)) === 'answer';
}

function cited(request: RecordedRequest, claim: string, words: string): string {
  const passages = materialIn(messagesOf(request)[1] ?? '').get('passages') ?? '';
  const before = passages.slice(0, Math.max(0, passages.indexOf(words)));
  const number = [...before.matchAll(/^\[(\d+)/gm)].at(-1)?.[1] ?? '1';
  return `${claim.replace(/\.$/, '')} [${number}].`;
}
