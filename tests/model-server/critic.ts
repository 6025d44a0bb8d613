// A critic at the wire: it reads what an audit shows of sources and sentences, and answers as a test judges each of them.

import { answersJson, type AnswerParts } from './behaviours';
import type { Behaviour, RecordedRequest } from './model-server';
import { materialIn } from './prompt-material';

export interface AskedSentence {
  text: string;
  /** What it cites, by the short ids of the prompt. */
  sources: string[];
  /** What words noticed of it. */
  noticed: string | null;
}

/** What is shown of the sources, by their short ids. */
export type ShownQuotes = ReadonlyMap<string, readonly string[]>;

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

/** `judge` may say nothing of a sentence. A quote of the material, word for word, is supported. */
export function createCritic(
  judge: (sentence: AskedSentence, quotes: ShownQuotes) => Judged | null,
): TestCritic {
  const asked: AskedSentence[][] = [];
  return {
    asked,
    answer(request, parts) {
      const { quotes, sentences } = auditIn(promptOf(request));
      const own: AskedSentence[] = [];
      const verdicts = sentences.flatMap(({ id, ...sentence }) => {
        const control = [...quotes].find(([, shown]) => shown.includes(sentence.text));
        const said: Judged | null =
          control === undefined
            ? judge(sentence, quotes)
            : { verdict: 'supported', quotes: [{ source: control[0], quote: sentence.text }] };
        if (control === undefined) own.push(sentence);
        return said === null ? [] : [{ sentence: id, without: [], reason: '', ...said }];
      });
      asked.push(own);
      return answersJson({ verdicts, gaps: [] }, parts);
    },
  };
}

/** What an audit's prompt shows: quotes by source, and the sentences with what they cite. */
export function auditIn(prompt: string): {
  quotes: Map<string, string[]>;
  sentences: (AskedSentence & { id: string })[];
} {
  const material = materialIn(prompt);
  const quotes = new Map<string, string[]>();
  for (const [, source = '', quote = ''] of (material.get('quotes') ?? '').matchAll(/^(S\d+): “(.*)”$/gm))
    quotes.set(source, [...(quotes.get(source) ?? []), quote]);
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
