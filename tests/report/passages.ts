import type { AnswerPassage } from '../../src/contracts/answer';
import type { AnswerDraft, AnswerSentence } from '../../src/contracts/draft';
import type { ClaimVerdict } from '../../src/contracts/finding';

export function passage(n: number, sourceId: string, more: Partial<AnswerPassage> = {}): AnswerPassage {
  const text = more.text ?? `What passage ${n} says.`;
  const start = more.start ?? 0;
  return {
    id: `P${n}`,
    sourceId,
    document: sourceId,
    title: sourceId,
    url: null,
    pages: null,
    text,
    start,
    end: start + text.length,
    origin: 'text',
    score: 0.5,
    ...more,
  };
}

export const SUPPORTED: ClaimVerdict = {
  verdict: 'supported',
  code: 'same-words',
  reason: 'The claim keeps to the words of what it cites.',
  evidence: null,
  probability: 0.9,
};

export function claim(text: string, verdict: ClaimVerdict = SUPPORTED): AnswerSentence {
  const passageIds = [...text.matchAll(/@(P\d+)/g)].map(([, id]) => id ?? '');
  return { text, plain: text.replace(/\s*\[@[^\]]*\]/g, ''), passageIds, verdict };
}

export function draft(sentences: AnswerSentence[], more: Partial<AnswerDraft> = {}): AnswerDraft {
  const markdown = sentences.map(({ text }) => text).join(' ');
  return { markdown, sentences, missing: null, setAside: [], ...more };
}
