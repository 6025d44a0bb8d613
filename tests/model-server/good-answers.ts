import { splitSentences } from '../../src/text/sentences';
import { lineOf, materialIn } from './prompt-material';

const MOST_SENTENCES = 5;
/** Words that a question has besides what it is on. */
const NO_TOPIC = /^(?:about|does|from|have|that|their|there|these|what|when|where|which|with)$/;

/** The sentences of the passages that have most of the question's words, each with its passage. */
export function answerFromPassages(prompt: string): string {
  const question = lineOf(prompt, 'The question:');
  const asked = topicOf(question);
  const found = numberedPassages(prompt)
    .flatMap(({ number, text }) =>
      splitSentences(text).map((span) => ({
        number,
        sentence: span.text,
        shared: topicOf(span.text).filter((word) => asked.includes(word)).length,
      })),
    )
    .filter(({ sentence, shared }) => shared > 0 && /[^?]$/.test(sentence))
    .sort((one, other) => other.shared - one.shared)
    .slice(0, MOST_SENTENCES);
  const told = found.map(({ number, sentence }) => `${sentence.replace(/[.!]$/, '')} [${number}].`).join(' ');
  const missing = `Missing: I could not find anything on the question “${question}”`;
  return told === '' ? missing : told;
}

/** Of each passage the sentences with figures that have room, or how it begins. */
export function shortenedPassages(prompt: string): unknown {
  const room = Number(/in fewer than (\d+) characters/.exec(prompt)?.[1] ?? 200);
  const lines = (materialIn(prompt).get('passages') ?? '').matchAll(/^(P\d+): (.*)$/gm);
  return {
    summaries: [...lines].map(([, passage = '', text = '']) => {
      const sentences = splitSentences(text).map((span) => span.text);
      const figures = sentences.filter((sentence) => /\d/.test(sentence)).join(' ');
      const summary = figures === '' ? (sentences[0] ?? '') : figures;
      return { passage, summary: summary.length <= room ? summary : summary.slice(0, room) };
    }),
  };
}

/** The question's words alone, and with those of what was asked before. */
export function otherWordings(prompt: string): unknown {
  const question = topicOf(lineOf(prompt, 'The question:')).join(' ');
  const before = topicOf(lineOf(materialIn(prompt).get('conversation') ?? '', 'asked:')).join(' ');
  return {
    queries: [before === '' ? '' : `${before} ${question}`, question].filter((query) => query !== ''),
  };
}

function numberedPassages(prompt: string): { number: string; text: string }[] {
  const passages = (materialIn(prompt).get('passages') ?? '').matchAll(/^\[(\d+)(?:: [^\]]*)?\].*\n(.*)$/gm);
  return [...passages].map(([, number = '', text = '']) => ({ number, text }));
}

function topicOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])].filter((word) => !NO_TOPIC.test(word));
}
