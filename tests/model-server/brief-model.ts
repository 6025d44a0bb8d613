import { JUDGE_DIMENSIONS, mapDimensions } from '../../src/contracts/judgement';
import { answers, answersJson } from './behaviours';
import { askedHeadings, writtenBrief } from './good-briefs';
import { createGoodModel, messagesOf } from './good-model';
import type { Behaviour, RecordedRequest, ScriptFunction } from './model-server';
import { type AskedStep, materialIn, stepOfPrompt } from './prompt-material';

export interface BriefModelOptions {
  /** What becomes of a text, of the parts under these titles. */
  text?: (text: string, titles: string[]) => string;
  /** What stands for a faulty sentence; it is deleted without. */
  mend?: (sentence: string) => string;
  /** What a text is worth, and which parts are to be mended, by their ids. */
  judge?: (text: string) => { score: number; parts: string[] };
}

export function briefStepOf(request: RecordedRequest): AskedStep {
  return stepOfPrompt(...messagesOf(request));
}

/** A model that writes briefs of what its prompts say, statement by statement, audits, mends and judges them. */
export function briefModel(options: BriefModelOptions = {}): ScriptFunction {
  const good = createGoodModel();
  const { text = (written: string) => written, judge = () => ({ score: 5, parts: [] }), mend } = options;
  return (request): Behaviour => {
    const [, user = ''] = messagesOf(request);
    const step = briefStepOf(request);
    if (step === 'write-text') {
      const titles = askedHeadings(user).map(({ title }) => title);
      return answers(text(writtenBrief(user), titles));
    }
    if (step === 'mend-text' && mend !== undefined) return answersJson(mended(user, mend));
    if (step !== 'judge') return good.answer(request);
    const { score, parts } = judge(materialIn(user).get('text') ?? '');
    const places = parts.map((id) => ({ part: id, quote: '' }));
    const reason = score < 5 ? 'It lacks something.' : 'Nothing is to be mended.';
    return answersJson(mapDimensions(JUDGE_DIMENSIONS, () => ({ score, reason, places })));
  };
}

function mended(prompt: string, mend: (sentence: string) => string): unknown {
  const material = materialIn(prompt);
  const named = [...(material.get('faults') ?? '').matchAll(/^- (T\d+(?:, T\d+)*):/gm)];
  const sentences = new Map(
    [...(material.get('paragraphs') ?? '').matchAll(/^(T\d+): (.*)$/gm)].map(([, id = '', said = '']) => [
      id,
      said,
    ]),
  );
  return {
    edits: [...new Set(named.flatMap(([, ids = '']) => ids.split(', ')))].map((sentence) => ({
      sentence,
      text: mend(sentences.get(sentence) ?? ''),
    })),
  };
}
