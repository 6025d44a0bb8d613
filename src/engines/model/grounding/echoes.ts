import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import { splitSentences } from '../../../language/sentences';
import { tokensOf } from '../../../language/tokens';
import { terms } from '../../../language/words';
import type { AnswerProblem } from '../answers/reading';
import type { ModelMessage } from '../port/model-client';

/** So many words in a row that stand in the instructions come from there. */
const RUN_WORDS = 5;
/** A sentence of which so many words are in such runs, and whose content words are all there, says nothing of its own. */
const LEAST_ECHOED = 0.8;

/** A piece of material between its marks, as prompts have it. */
const MATERIAL = /=== (\S+) (?!end ===).+? ===\n([^]*?)\n=== \1 end ===/g;

/** What a model was told, as its answer is held against it: words of the prompt are no findings. */
export interface Echoes {
  /** Whether one of the text's sentences is one of the titles, or is made of the instructions' words and no source says it. */
  isEcho(text: string, titles?: readonly string[]): boolean;
}

/** Echoes of the prompt that was sent. */
export function createEchoes(messages: readonly ModelMessage[]): Echoes {
  const prompt = messages.map(({ content }) => content).join('\n');
  const told = prompt.replace(MATERIAL, '\n');
  const instructions = wordsOf(told);
  let stems: ReadonlySet<string> | null = null;
  const isTold = (stem: string): boolean => (stems ??= new Set(terms(told))).has(stem);
  let material: string | null = null;
  const isInMaterial = (run: string): boolean => {
    material ??= wordsOf([...prompt.matchAll(MATERIAL)].map(([, , text = '']) => text).join('\n'));
    return material.includes(run);
  };

  const isEchoed = (sentence: string): boolean => {
    const words = tokensOf(sentence);
    const length = Math.min(RUN_WORDS, words.length);
    const echoed = new Set<number>();
    for (let start = 0; length > 1 && start + length <= words.length; start += 1) {
      const run = ` ${words.slice(start, start + length).join(' ')} `;
      if (!instructions.includes(run) || isInMaterial(run)) continue;
      for (let at = start; at < start + length; at += 1) echoed.add(at);
    }
    // A question that differs by a word asks something else, such as a part of what was asked.
    const least = sentence.endsWith('?') ? words.length : LEAST_ECHOED * words.length;
    return echoed.size > 0 && echoed.size >= least && terms(sentence).every(isTold);
  };
  return {
    isEcho(text, titles = []) {
      const keys = new Set(titles.map(sentenceKey));
      const sentences = splitSentences(text).map(({ text: sentence }) => sentence);
      return sentences.some((sentence) => keys.has(sentenceKey(sentence)) || isEchoed(sentence));
    },
  };
}

/** Where there is no prompt. */
export const NO_ECHOES: Echoes = { isEcho: () => false };

export function echoProblem(path: string, what: string): AnswerProblem {
  return {
    path,
    message: `${what} repeats the question, a title or these instructions; say what a source says, or leave it out`,
    code: 'prompt-echoed',
    warning: 'A text that only repeats the question, a title or the instructions was dropped.',
  };
}

function wordsOf(text: string): string {
  return ` ${tokensOf(text).join(' ')} `;
}
