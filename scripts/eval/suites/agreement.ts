import { join } from 'node:path';
import { z } from 'zod';
import { draw, present } from '../seeded-draw';
import { countOf, share } from '../figures';
import * as product from '../product';
import { openEncoder } from '../ranking';
import { readRecords } from '../records';
import { articlesOf } from '../studies';
import type { Suite } from '../suite';
import { plain } from '../texts';
import { Disputed, NO_ANSWER } from './conflicts';

interface Sentence {
  text: string;
  title: string;
}

interface Pair {
  claim: Sentence;
  quote: Sentence;
  agree: boolean;
}

const Place = z.object({ source: z.string(), start: z.number(), end: z.number() });
const LabelledPair = z.object({ claim: Place, quote: Place, agree: z.boolean() });
/** Pairs of results from the studies that tell one direction of what may be one comparison; labelled by reading. */
const RESULTS = join(__dirname, '../data/agreeing-results.jsonl');

/**
 * How often quotes of two sources that are called agreeing do agree, and how many of those that do are found. Of a question's
 * documents each one's sentence with its answer, beside those of the others: they agree where the answers do. `results` are pairs
 * of sentences of trials. Each by words, as without an encoder, and by words or meaning.
 */
export const agreement: Suite = {
  usage: 'agreement FILE.jsonl [--sources FILE] [--questions N --seed S]',
  options: ['sources', 'questions', 'seed'],
  async measure({ file, sources: [articles], questions, seed }) {
    const pairs = draw(readRecords(file, Disputed), questions, seed).flatMap(answerPairs);
    const figures = await figuresOf(pairs);
    const results = articles === undefined ? {} : { results: await figuresOf(resultPairs(articles)) };
    return { n: pairs.length, ...figures, ...results };
  },
};

async function figuresOf(pairs: readonly Pair[]): Promise<object> {
  const encoder = await openEncoder();
  const encoded = async ({ text, title }: Sentence) => {
    const [meant, meantTitle] = (await encoder?.encode([text, title])) ?? [];
    return { statement: product.readStatement(text, title), text: meant, title: meantTitle };
  };
  const known = new Map<string, Awaited<ReturnType<typeof encoded>>>();
  const keyOf = ({ text, title }: Sentence): string => `${title}\n${text}`;
  for (const sentence of pairs.flatMap(({ claim, quote }) => [claim, quote]))
    if (!known.has(keyOf(sentence))) known.set(keyOf(sentence), await encoded(sentence));
  const { weightOf } = product.indexStatements([...known.values()].map(({ statement }) => statement.matter));
  const judged = pairs.map(({ agree, ...pair }) => {
    const [claim, quote] = [pair.claim, pair.quote].map((sentence) => present(known.get(keyOf(sentence))));
    const byWords =
      product.compareStatements(present(claim).statement, present(quote).statement, weightOf)?.relation ===
      'agree';
    const isSame = isMeant(claim) && isMeant(quote) && product.saysTheSame(claim, quote, weightOf);
    return { agree, byWords, said: byWords || isSame };
  });
  const counted = (key: 'said' | 'byWords'): { right: number; said: number } => {
    const said = judged.filter((pair) => pair[key]);
    return { right: countOf(said, ({ agree }) => agree), said: said.length };
  };
  const agreeing = countOf(judged, ({ agree }) => agree);
  const [{ right, said }, words] = [counted('said'), counted('byWords')];
  return {
    precision: share(right, said),
    recall: share(right, agreeing),
    byWords: { precision: share(words.right, words.said), recall: share(words.right, agreeing) },
    counts: { right, said, agreeing, rightByWords: words.right, saidByWords: words.said },
  };
}

type Meant = Parameters<typeof product.saysTheSame>[0];

/** Whether there was an encoder to tell what a sentence means. */
function isMeant(
  one: { text: Meant['text'] | undefined; title: Meant['title'] | undefined } | undefined,
): one is Meant {
  return one?.text !== undefined && one.title !== undefined;
}

function answerPairs({ question, documents }: Disputed): Pair[] {
  const asked = new Set(product.terms(question));
  const told = documents.flatMap(({ text, answer }) => {
    if (answer === NO_ANSWER) return [];
    const [best] = product
      .sentencesOfSource(text)
      .map((sentence) => sentence.text)
      .filter((sentence) => product.isQuotable(sentence, '') && plain(sentence).includes(plain(answer)))
      .map((sentence) => ({ sentence, shared: countOf(product.terms(sentence), (term) => asked.has(term)) }))
      .sort((a, b) => b.shared - a.shared);
    return best === undefined ? [] : [{ text: best.sentence, title: '', answer: plain(answer) }];
  });
  return told.flatMap((claim) =>
    told
      .filter(({ text }) => text !== claim.text)
      .map((quote) => ({ claim, quote, agree: claim.answer === quote.answer })),
  );
}

function resultPairs(file: string): Pair[] {
  const articles = articlesOf(file);
  const sentence = ({ source, start, end }: z.infer<typeof Place>): Sentence => {
    const { title, content } = present(articles.get(source));
    return { text: content.slice(start, end), title };
  };
  return readRecords(RESULTS, LabelledPair).map(({ claim, quote, agree }) => ({
    claim: sentence(claim),
    quote: sentence(quote),
    agree,
  }));
}
