import { type AnswerParts, answersJson } from './behaviours';
import type { Behaviour, RecordedRequest } from './model-server';
import { materialIn } from './prompt-material';

// A critic at the wire: it reads what an audit shows of sources and sentences, and answers as a test judges each of them.

export interface AskedSentence {
  text: string;
  /** What it cites, by the short ids of the prompt. */
  sources: string[];
  /** What words noticed of it. */
  noticed: string | null;
}

/** What is shown of the sources, by their short ids. */
export type ShownQuotes = ReadonlyMap<string, string>;

export interface Judged {
  verdict: 'supported' | 'inference' | 'partial' | 'contradicted' | 'unsupported';
  quotes: { source: string; quote: string }[];
  without?: string[];
  reason?: string;
}

export interface TestCritic {
  answer(request: RecordedRequest, parts?: AnswerParts): Behaviour;
  readonly asked: AskedSentence[][];
}

/** `judge` may say nothing of a sentence. */
export function createCritic(
  judge: (sentence: AskedSentence, quotes: ShownQuotes) => Judged | null,
): TestCritic {
  const asked: AskedSentence[][] = [];
  return {
    asked,
    answer(request, parts) {
      const { quotes, sentences } = auditIn(promptOf(request));
      const verdicts = sentences.flatMap(({ id, ...sentence }) => {
        const said = judge(sentence, quotes);
        const form = { sentence: id, severity: 'wrong', calculation: '', without: [], reason: '' };
        return said === null ? [] : [{ ...form, ...said }];
      });
      asked.push(sentences.map(({ id: _id, ...sentence }) => sentence));
      return answersJson({ verdicts, notes: [] }, parts);
    },
  };
}

/** What an audit's prompt shows: a source's text by its short id, and the sentences with what they cite. */
function auditIn(prompt: string): {
  quotes: ShownQuotes;
  sentences: (AskedSentence & { id: string })[];
} {
  const material = materialIn(prompt);
  const quotes = new Map([...material].filter(([name]) => /^S\d+$/.test(name)));
  const sentences = [...(material.get('sentences') ?? '').matchAll(/^(T\d+)([^:]*): (.*)$/gm)].map(
    ([, id = '', before = '', said = '']) => {
      const noticed = / \(noticed: (.*)\)$/.exec(said)?.[1] ?? null;
      const text = noticed === null ? said : said.replace(/ \(noticed: .*\)$/, '');
      return {
        id,
        text: text.replace(/ ?(?:\[S\d+\])+/g, '').trim(),
        sources: [...new Set(`${before} ${text}`.match(/(?<=\[)S\d+(?=\])/g) ?? [])],
        noticed,
      };
    },
  );
  return { quotes, sentences };
}

function promptOf({ body }: RecordedRequest): string {
  const messages = body?.['messages'];
  if (!Array.isArray(messages)) return '';
  // What the product sends is checked where it is sent.
  return (messages as { content: string }[]).map(({ content }) => content).join('\n');
}
