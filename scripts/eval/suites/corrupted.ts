import { z } from 'zod';
import { corruptions, movedCitations, namesOf, type CitedSource } from '../corruptions';
import { draw, seededRandom, shuffled } from '../seeded-draw';
import { byKey, countOf, shareOf } from '../figures';
import * as product from '../product';
import { readRecords, UsageError } from '../records';
import type { Call, Suite } from '../suite';
import { wordsIn } from '../texts';
import { ExpertAnswer } from './answers';

const CLOSE = 0.8;
const WRONG = ['contradicted', 'unsupported', 'partial'];
const KINDS = ['number', 'name', 'negation', 'direction'] as const;
const MOVED = ['citationNear', 'citationFar'];

const Study = z.object({
  id: z.string(),
  content: z.string(),
  title: z.string().default(''),
  author: z.string().default(''),
  publishedAt: z.string().default(''),
});

/** A claim that is true, with the sources that it cites, and those that say the same. */
interface Claim {
  text: string;
  cited: string[];
  kin: string[];
}

interface Setting {
  sources: CitedSource[];
  claims: Claim[];
  definitions?: string[];
}

interface Judged {
  family: string;
  kind: string;
  isClose: boolean;
  hasFigures: boolean;
  verdict: string;
  code: string;
  isCalledWrong: boolean;
}

/**
 * What the verifier says of true claims, and of the same claims with one thing exchanged, by how close they are to their passages.
 * Each file is sources in the product's own format, or answers with the passages that they cite.
 */
export const corrupted: Suite = {
  usage: 'corrupted --sources FILE [--sources FILE] [--questions N --seed S]',
  options: ['sources', 'questions', 'seed'],
  takesMore: true,
  needsFile: false,
  measure(call) {
    const judged = [...call.files, ...call.sources].flatMap((file) => judgedOf(file, call));
    const families = [...new Set(judged.map(({ family }) => family))];
    return {
      n: countOf(judged, ({ kind }) => kind === 'true'),
      ...byKey(families, (family) => tally(judged.filter((one) => one.family === family))),
      together: tally(judged),
    };
  },
};

function judgedOf(file: string, call: Call): Judged[] {
  const [first = {}] = readRecords(file, z.looseObject({}));
  if (typeof first['content'] === 'string') {
    const settings = studySettings(readRecords(file, Study), seededRandom(call.seed));
    return settings.flatMap((setting) => judgedIn(setting, 'studies', call));
  }
  if (Array.isArray(first['ctxs']) && typeof first['output'] === 'string')
    return judgedIn(expertSetting(readRecords(file, ExpertAnswer)), 'experts', call);
  throw new UsageError(`${file} has neither sources ("content") nor answers ("ctxs" and "output").`);
}

function judgedIn({ sources, claims, definitions = [] }: Setting, family: string, call: Call): Judged[] {
  const verifier = product.createVerifier({ sources, definitions });
  const contents = new Map(sources.map(({ sourceId, content }) => [sourceId, content]));
  const names = namesOf(claims.map(({ text }) => text));
  const random = seededRandom(call.seed);
  const moved = movedCitations(sources);
  return draw(claims, call.questions, call.seed).flatMap(({ text, cited, kin }) => {
    const passage = cited.map((id) => contents.get(id)).join('\n\n');
    const sentences = product.splitSentences(passage).map((one) => one.text);
    const isClose = closenessTo(text, sentences) >= CLOSE;
    const hasFigures = holdsFigures(passage, text);
    const cases = [
      { kind: 'true', claim: text, ids: cited },
      ...corruptions(text, { passage, names, random }).map((one) => ({ ...one, ids: cited })),
      ...moved(text, kin, random).map(({ kind, id }) => ({ kind, claim: text, ids: [id] })),
    ];
    return cases.map(({ kind, claim, ids }) => {
      const { verdict, code } = verifier.verify(claim, ids);
      return { family, kind, isClose, hasFigures, verdict, code, isCalledWrong: WRONG.includes(verdict) };
    });
  });
}

/** The shares by closeness: of the true claims how many are called wrong, of the others how many are named. */
function tally(judged: readonly Judged[]): object {
  return {
    n: countOf(judged, ({ kind }) => kind === 'true'),
    close: tallied(judged.filter(({ isClose }) => isClose)),
    free: tallied(judged.filter(({ isClose }) => !isClose)),
  };
}

function tallied(judged: readonly Judged[]): object {
  const of = (...kinds: string[]): Judged[] => judged.filter(({ kind }) => kinds.includes(kind));
  const isWrong = ({ isCalledWrong }: Judged): boolean => isCalledWrong;
  const isSupported = ({ verdict }: Judged): boolean => verdict === 'supported';
  const isMisattributed = ({ code }: Judged): boolean => code === 'misattributed';
  const withFigures = of('true').filter(({ hasFigures }) => hasFigures);
  return {
    trueCalledWrong: shareOf(of('true'), isWrong),
    /** Of those whose every figure the passage holds: what stands only in a table's picture or in the abstract, it does not bear. */
    trueWithItsFiguresCalledWrong: shareOf(withFigures, isWrong),
    trueSupported: shareOf(of('true'), isSupported),
    ...byKey(KINDS, (kind) => shareOf(of(kind), isWrong)),
    citation: shareOf(of(...MOVED), isWrong),
    misattributed: shareOf(of(...MOVED), isMisattributed),
    trueMisattributed: shareOf(of('true'), isMisattributed),
    corruptedSupported: shareOf(of(...KINDS, ...MOVED), isSupported),
    counts: {
      ...byKey(['true', ...KINDS, ...MOVED], (kind) => of(kind).length),
      trueWithItsFigures: withFigures.length,
    },
  };
}

const CLOSEST = 5;

/** The share of a claim's words that stand in order in the one sentence of a text that has most of them so. */
function closenessTo(claim: string, sentences: readonly string[]): number {
  const words = wordsOf(claim);
  const own = new Set(words);
  const best = sentences
    .map((sentence) => wordsOf(sentence))
    .map((other) => ({ other, shared: new Set(other.filter((word) => own.has(word))).size }))
    .sort((a, b) => b.shared - a.shared)
    .slice(0, CLOSEST);
  return Math.max(0, ...best.map(({ other }) => inOrder(words, other) / Math.max(1, words.length)));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu) ?? [];
}

/** The length of the longest common subsequence. */
function inOrder(one: readonly string[], other: readonly string[]): number {
  let row = other.map(() => 0);
  for (const word of one) {
    let [before, left] = [0, 0];
    row = other.map((held, at) => {
      const above = row[at] ?? 0;
      left = word === held ? before + 1 : Math.max(above, left);
      before = above;
      return left;
    });
  }
  return row.at(-1) ?? 0;
}

const FIGURE = /\d+(?:[.,·]\d+)*/g;

/** Whether every figure of a claim stands in the passage, digit by digit: else the passage does not bear all of it. */
function holdsFigures(passage: string, claim: string): boolean {
  const figuresOf = (text: string): string[] =>
    (text.match(FIGURE) ?? []).map((figure) => figure.replaceAll(',', '').replaceAll('·', '.'));
  const held = new Set(figuresOf(passage));
  return figuresOf(claim).every((figure) => held.has(figure));
}

const SHOWING = /^ABSTRACT[^\n]*(?:RESULT|FINDING|CONCLUSION)[^\n]*:\n+([^\n]+)/gm;
const FEWEST_WORDS = 8;
const MOST_WORDS = 60;
const EACH = 2;

/**
 * What articles say in the results and conclusions of their abstracts, held against the whole article and against what stands
 * behind the abstract.
 */
function studySettings(records: readonly z.infer<typeof Study>[], random: () => number): Setting[] {
  const studies = records.map(({ id, content, title, author, publishedAt }) => {
    const showing = [...content.matchAll(SHOWING)];
    const last = [...content.matchAll(/^ABSTRACT[^\n]*\n+[^\n]+/gm)].at(-1);
    const body = last === undefined ? content : content.slice(last.index + last[0].length);
    const sentences = showing.flatMap(([, text = '']) => product.splitSentences(text).map((one) => one.text));
    const claims = sentences.filter((text) => wordsIn(text) >= FEWEST_WORDS && wordsIn(text) <= MOST_WORDS);
    return { id, content, body, claims, attribution: [title, author, publishedAt].filter(isTold) };
  });
  return (['content', 'body'] as const).map((part) => ({
    sources: studies.map((study) => ({
      sourceId: study.id,
      content: study[part],
      attribution: study.attribution,
    })),
    claims: studies.flatMap(({ id, claims }) =>
      shuffled(claims, random)
        .slice(0, EACH)
        .map((text) => ({ text, cited: [id], kin: [id] })),
    ),
  }));
}

function isTold(text: string): boolean {
  return text !== '';
}

const MARK = /\s*\[\d+(?:\s*[,–-]\s*\d+)*\]/g;

/** The sentences of answers that cite, held against the passages that they cite; all passages of all answers are the sources. */
function expertSetting(records: readonly ExpertAnswer[]): Setting {
  const idOf = (record: number, n: number): string => `${record}-${n}`;
  const sources = records.flatMap(({ ctxs }, record) =>
    ctxs.map(({ title, text, authors, year }, n) => ({
      sourceId: idOf(record, n),
      content: text ?? '',
      attribution: [title, (authors ?? []).map(({ name }) => name).join('; '), `${year ?? ''}`].filter(
        isTold,
      ),
    })),
  );
  const sourceOf = new Map(sources.map((source) => [source.sourceId, source]));
  const claims = records.flatMap(({ output, ctxs }, record) =>
    product
      .splitSentences(output.replace(/([.!?])((?:\s*\[\d+(?:, ?\d+)*\])+)/g, '$2$1'))
      .flatMap(({ text }) => {
        const cited = citedIn(text).filter((n) => (ctxs[n]?.text ?? '') !== '');
        const plain = text.replace(MARK, '').trim();
        if (cited.length === 0 || wordsIn(plain) < FEWEST_WORDS) return [];
        const ids = cited.map((n) => idOf(record, n));
        // A citation may be moved to its own source, or to one of the same title: all figures so far were taken so.
        return [{ text: plain, cited: ids, kin: [] }];
      }),
  );
  // Some answers are there twice, with the same passages.
  const keyOf = ({ text, cited }: Claim): string =>
    [text, ...cited.map((id) => sourceOf.get(id)?.content)].join('\n');
  const once = [...new Map(claims.map((claim) => [keyOf(claim), claim])).values()];
  return { sources, claims: once, definitions: records.map(({ output }) => output) };
}

function citedIn(text: string): number[] {
  const numbers = [...text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, list = '']) => list.split(','));
  return [...new Set(numbers.map(Number))];
}
