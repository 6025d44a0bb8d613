import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { askedQuestions } from '../answering';
import { present, seededRandom, shuffled } from '../seeded-draw';
import { byKey, countOf, meanOf, rounded, share, shareOf, stopwatch, sumOf } from '../figures';
import {
  judgedText,
  reportText,
  verifierOf,
  type Judged,
  type Sentence,
  type Text,
  type TextPart,
} from '../judged-text';
import * as product from '../product';
import { readRecords } from '../records';
import { openReportRunner } from '../report-runner';
import { measured, type Call, type Suite } from '../suite';
import { Source } from './collection';

const REPORTS = 20;
/** Of fewer sentences, or where more than half had to be left out, a text is no report any more. */
const FEWEST_EXCHANGED = 3;
const LEAST_EXCHANGED = 0.5;
/** So much lower a report that answers nothing should be at least, and so low at most. */
const LOWER_BY = 1.5;
const AT_MOST = 2.5;

const OpenQuestion = z.object({
  id: z.string(),
  question: z.string(),
  collection: z.string(),
  answerable: z.boolean(),
});

/** Where the reports are from, and how many in ten; what is graded asks open questions, the others have their own. */
const COLLECTIONS = [
  { name: 'studies', folder: 'studies', inTen: 5 },
  { name: 'science', folder: 'collections/science', inTen: 1 },
  { name: 'reports', folder: 'collections/reports', inTen: 2 },
  { name: 'web', folder: 'collections/web', inTen: 1 },
  { name: 'encyclopedia', folder: 'collections/encyclopedia', inTen: 1 },
];

/** A report, and the same with talk in the place of what was found, as they are judged. */
interface Pair {
  original: Judged['judgement'];
  talk: Judged['judgement'];
  citing: number;
  exchanged: number;
}

interface ToldPair extends Pair {
  id: string;
  told: string;
}

/**
 * Whether the judge without a model sees that a report talks about its question and answers nothing: reports of the product, and
 * the same with talk of the same sources in the place of what they found. `--questions` is how many reports are made.
 */
export const talk: Suite = {
  usage: 'talk FOLDER [--asked FILE] [--questions N --seed S] [--explain ID]',
  options: ['questions', 'seed', 'explain', 'asked'],
  measure(call) {
    const seconds = stopwatch();
    return measured(call, {
      items: pairsOf(call),
      idOf: ({ id }) => id,
      find(pair) {
        const { id, original, talk: talked, exchanged, citing } = pair;
        call.say(`${id}: ${original.overall} → ${talked.overall}, ${exchanged} of ${citing} sentences`);
        return pair;
      },
      explain: ({ told }) => told,
      figures: (pairs) => ({ ...talkFigures(pairs), seconds: seconds() }),
    });
  },
};

async function* pairsOf(call: Call): AsyncGenerator<ToldPair> {
  const { file: folder, questions: most = REPORTS, asked = join(folder, 'relevance/open-dev.jsonl') } = call;
  const open = readRecords(asked, OpenQuestion);
  for (const { name, folder: own, inTen } of COLLECTIONS) {
    const graded = open.filter(({ collection }) => collection === name);
    const records = graded.length > 0 ? graded : askedQuestions(join(folder, own), undefined);
    const answerable = shuffled(
      records.filter((record) => record.answerable),
      seededRandom(call.seed),
    );
    yield* pairsIn(join(folder, own, 'sources.jsonl'), answerable, Math.round((inTen * most) / 10));
  }
}

/** Reports on questions in the order in which they were drawn; where few sentences could be exchanged it is another one. */
async function* pairsIn(
  sourcesFile: string,
  questions: readonly { id: string; question: string }[],
  many: number,
): AsyncGenerator<ToldPair> {
  if (many === 0) return;
  const sources = new Map(readRecords(sourcesFile, Source).map((source) => [source.id, source]));
  const runner = await openReportRunner(sourcesFile);
  let made = 0;
  try {
    for (const { id, question } of questions) {
      if (made === many) return;
      const original = reportText(await runner.judged(`talk-${id}`, question));
      const { citing, exchanged, ...talked } = exchangeTalk(original, sources);
      if (exchanged < Math.max(FEWEST_EXCHANGED, LEAST_EXCHANGED * citing)) continue;
      made += 1;
      const before = await judgedText(original, verifierOf(original.material));
      const after = await judgedText(talked, verifierOf(talked.material));
      const told = [question, ...after.document.parts.map(({ markdown }) => markdown)].join('\n\n');
      yield { id, citing, exchanged, original: before.judgement, talk: after.judgement, told };
    }
  } finally {
    await runner.close();
  }
}

export function talkFigures(pairs: readonly Pair[]): object {
  const falls = pairs.map(({ original, talk: talked }) => rounded(original.overall - talked.overall));
  const isLow = ({ talk: talked }: Pair): boolean => talked.overall <= AT_MOST;
  const lowerBy15 = countOf(falls, (fall) => fall >= LOWER_BY);
  const [exchanged, citing] = [sumOf(pairs, (pair) => pair.exchanged), sumOf(pairs, (pair) => pair.citing)];
  const dimensions = product.JUDGE_DIMENSIONS.filter((key) => key in (pairs[0]?.talk.scores ?? {}));
  return {
    n: pairs.length,
    talkScore: meanOf(pairs.map((pair) => pair.talk.overall)),
    originalScore: meanOf(pairs.map(({ original }) => original.overall)),
    lower: meanOf(falls),
    lowerBy15: share(lowerBy15, pairs.length),
    atMost25: shareOf(pairs, isLow),
    exchangedShare: share(exchanged, citing),
    perDimension: byKey(dimensions, (key) => ({
      talk: meanOf(pairs.map((pair) => pair.talk.scores[key].score)),
      original: meanOf(pairs.map(({ original }) => original.scores[key].score)),
    })),
    counts: { lowerBy15, atMost25: countOf(pairs, isLow), exchanged, citing },
  };
}

/** A sentence tells a statement that has so many of its words in it, some being left out, or that so many of its own are of. */
const TOLD_FROM = 0.6;
const OF_A_LONGER_QUOTE = 0.8;

/** A statement, and what stands in its place; nothing where its source has no talk left. */
interface Exchange extends Sentence {
  talk: string | undefined;
  words: ReadonlySet<string>;
}

/**
 * A report's text and what it was made from, with talk in the place of what was found: each statement becomes another sentence of
 * its source, wherever it is told. Where a source has no talk left, what it says is left out, so that nothing that answers is
 * left. `exchanged` are the sentences that are talk now, of so many that cited.
 */
export function exchangeTalk(
  { text, material }: Text,
  sources: ReadonlyMap<string, z.infer<typeof Source>>,
): Text & { citing: number; exchanged: number } {
  const left = new Map<string, string[]>();
  const nextTalk = (id: string): string | undefined => {
    const own = left.get(id) ?? talkIn(material.question, present(sources.get(id)));
    left.set(id, own);
    return own.shift();
  };
  const exchanges = new Map<string, Exchange>();
  const instead = <Statement extends Sentence>(statement: Statement): Statement[] => {
    const { text: said, sourceIds } = statement;
    const id = present(sourceIds[0]);
    const key = `${id} ${said}`;
    const exchange = exchanges.get(key) ?? {
      text: said,
      sourceIds,
      talk: nextTalk(id),
      words: wordsOf(said),
    };
    exchanges.set(key, exchange);
    return exchange.talk === undefined ? [] : [{ ...statement, text: exchange.talk }];
  };
  const topics = material.topics
    .map((topic) => ({ ...topic, statements: topic.statements.flatMap(instead) }))
    .filter(({ statements }) => statements.length > 0);
  const conflicts = material.conflicts
    .map((conflict) => ({ ...conflict, viewpoints: conflict.viewpoints.flatMap(instead) }))
    .filter(({ viewpoints }) => viewpoints.length > 1);
  const told = [...exchanges.values()];
  const counts = { citing: 0, exchanged: 0 };
  const sentenceInstead = (sentence: Sentence): Sentence[] => {
    const cites = sentence.sourceIds.length > 0;
    const near = nearestTold(
      sentence.text,
      cites ? told.filter(({ sourceIds: [id = ''] }) => sentence.sourceIds.includes(id)) : told,
    );
    // What cites nothing is its writer's, but for the beginning of a quote whose citation stands at its end.
    if (!cites) return near === undefined ? [sentence] : [];
    counts.citing += 1;
    if (near?.talk === undefined) return [];
    counts.exchanged += 1;
    return [{ ...sentence, text: withOtherQuote(sentence.text, near.words, near.talk) }];
  };
  const talked: TextPart[] = text
    .map((part) => ({ ...part, paragraphs: part.paragraphs.map((all) => all.flatMap(sentenceInstead)) }))
    .filter(({ paragraphs }) => paragraphs.flat().length > 0);
  return { text: talked, material: { ...material, topics, conflicts }, ...counts };
}

function wordsOf(text: string): Set<string> {
  return new Set(product.terms(text));
}

/** Of statements the one that a sentence tells most of. */
function nearestTold(sentence: string, told: readonly Exchange[]): Exchange | undefined {
  const own = wordsOf(sentence);
  return told
    .map((one) => ({ ...one, shared: countOf([...one.words], (word) => own.has(word)) }))
    .sort((a, b) => b.shared - a.shared)
    .find(
      ({ shared, words }) =>
        shared > 0 && (shared >= TOLD_FROM * words.size || shared >= OF_A_LONGER_QUOTE * own.size),
    );
}

/** The writer's words around a quote stay; a sentence that marks no quote is exchanged as a whole. */
function withOtherQuote(sentence: string, words: ReadonlySet<string>, talked: string): string {
  const [best] = [...sentence.matchAll(/“[^”]*”/g)]
    .map(([quote]) => ({ quote, shared: countOf([...wordsOf(quote)], (word) => words.has(word)) }))
    .sort((a, b) => b.shared - a.shared);
  if (best === undefined || best.shared === 0) return talked;
  // As a report quotes: without the stop, which stands behind the quote.
  return sentence.replace(best.quote, () => `“${talked.replace(/\.$/, '')}”`);
}

/** What the reader puts first of a source may answer: so many sentences, and never more than half of them. */
const BEST = 10;
const Signs = z.object({ signs: z.array(z.string()) });
const SIGNS = Signs.parse(
  JSON.parse(readFileSync(join(__dirname, '../data/talk-signs.json'), 'utf8')),
).signs.map((sign) => new RegExp(sign, 'i'));

/**
 * A source's sentences that are about the question and assert nothing of it, the nearest by its words first: none that the reader
 * ranks among the best by words, none that tells an effect; those that sound like an aim, a method or a need before the others.
 */
function talkIn(question: string, { id, title = '', content }: z.infer<typeof Source>): string[] {
  const sentences = product
    .sentencesOfSource(content)
    .map(({ text }) => text.replace(/\s+/g, ' '))
    .filter((text) => product.isQuotable(text, title));
  const best = bestOf(question, { id, title, sentences });
  const asked = wordsOf(question);
  return sentences
    .map((text, at) => ({
      text,
      at,
      shared: countOf([...wordsOf(text)], (term) => asked.has(term)),
      sounds: Number(SIGNS.some((sign) => sign.test(text))),
    }))
    .filter(({ text, at, shared }) => shared > 0 && !best.has(at) && product.effectsTold(text).length === 0)
    .sort((a, b) => b.sounds - a.sounds || b.shared - a.shared || a.at - b.at)
    .map(({ text }) => text);
}

/** By words alone: what is chosen is to be the same whatever else the reader learns to read by. */
function bestOf(
  question: string,
  source: { id: string; title: string; sentences: readonly string[] },
): Set<number> {
  const reading = product.readIndexed(product.readQuestion(question), product.indexSources([source]));
  const ranked = product.rankSentences(reading, { most: Infinity, within: 'source' });
  const most = Math.min(BEST, Math.ceil(source.sentences.length / 2));
  return new Set(ranked.slice(0, most).map(({ sentence }) => sentence));
}
