import { seededRandom } from '../seeded-draw';
import { byKey, countOf, meanOf, shareOf, stopwatch } from '../figures';
import { judgedText, verifierOf, type Judged, type Text } from '../judged-text';
import { briefTexts, disputedTexts, reportTexts } from '../judged-texts';
import * as product from '../product';
import { UsageError } from '../records';
import { DEGREES, SPOILS, type Degree } from '../spoiled-text';
import { measured, type Suite } from '../suite';
import { wordsIn } from '../texts';

const TEXTS = 20;
const TEXTS_OF = { briefs: briefTexts, reports: reportTexts, disputes: disputedTexts };
type Dimension = (typeof product.JUDGE_DIMENSIONS)[number];

/** A text as it was written, and spoiled in one dimension. */
interface Pair {
  degree: Degree;
  dimension: Dimension;
  original: Judged;
  spoiled: Judged;
}

/**
 * Whether a judge without a model sees what is wrong: texts spoiled on purpose in one dimension each, against the original.
 * `--questions` is how many texts are made; with `--explain`, what is said of one, by its id.
 */
export const judge: Suite = {
  usage: 'judge SOURCES [--of briefs|reports|disputes] [--questions N --seed S] [--explain ID]',
  options: ['questions', 'seed', 'explain', 'of'],
  measure(call) {
    const { of = 'briefs' } = call;
    if (!isKind(of)) throw new UsageError(`--of has to be one of ${Object.keys(TEXTS_OF).join(', ')}.`);
    const seconds = stopwatch();
    return measured(call, {
      items: TEXTS_OF[of](call.file, call.questions ?? TEXTS, call.seed),
      idOf: ({ id }) => `${id}`,
      find: judgedPairs,
      explain: ({ original, pairs }) =>
        [
          told('as it was written', original),
          ...pairs.map(({ degree, dimension, spoiled }) => told(`spoiled, ${degree}: ${dimension}`, spoiled)),
        ].join('\n'),
      figures(found) {
        const originals = found.map(({ original }) => original);
        const overall = originals.map(({ judgement }) => judgement.overall);
        const pairsOf = (degree: Degree): Pair[] =>
          found.flatMap(({ pairs }) => pairs.filter((pair) => pair.degree === degree));
        return {
          n: originals.length,
          ...summedUp(pairsOf('plain')),
          slight: summedUp(pairsOf('slight')),
          originals: {
            overall: meanOf(overall),
            least: Math.min(...overall),
            passedShare: shareOf(originals, ({ judgement }) => judgement.passed),
            scores: byKey(product.JUDGE_DIMENSIONS, (dimension) =>
              meanOf(originals.map((one) => scoreIn(one, dimension))),
            ),
            withConflicts: countOf(originals, ({ document }) => document.conflicts.length > 0),
          },
          seconds: seconds(),
        };
      },
    });
  },
};

function isKind(of: string): of is keyof typeof TEXTS_OF {
  return Object.hasOwn(TEXTS_OF, of);
}

async function judgedPairs({
  id,
  ...whole
}: Text & { id: number }): Promise<{ original: Judged; pairs: Pair[] }> {
  const { text, material } = whole;
  const verify = verifierOf(material);
  const original = await judgedText(whole, verify);
  const pairs: Pair[] = [];
  for (const degree of DEGREES)
    for (const [place, dimension] of product.JUDGE_DIMENSIONS.entries()) {
      const spoiledText = SPOILS[dimension](text, material, degree, seededRandom(id * 31 + place));
      if (spoiledText === null) continue;
      const spoiled = await judgedText({ text: spoiledText, material }, verify);
      pairs.push({ degree, dimension, original, spoiled });
    }
  return { original, pairs };
}

function scoreIn({ judgement }: Judged, dimension: Dimension): number {
  return judgement.scores[dimension].score;
}

function isLower({ dimension, original, spoiled }: Pair): boolean {
  return scoreIn(spoiled, dimension) < scoreIn(original, dimension);
}

function fallIn({ original, spoiled }: Pair, dimension: Dimension): number {
  return scoreIn(original, dimension) - scoreIn(spoiled, dimension);
}

function summedUp(pairs: readonly Pair[]): object {
  return {
    pairs: pairs.length,
    lowerShare: shareOf(pairs, isLower),
    perDimension: byKey(product.JUDGE_DIMENSIONS, (dimension) =>
      figuresOf(
        dimension,
        pairs.filter((pair) => pair.dimension === dimension),
      ),
    ),
  };
}

/** How often it is lower, by how much, how far the others move, and how often counting alone is lower. */
function figuresOf(dimension: Dimension, own: readonly Pair[]): object {
  const fall = (of: Dimension): number | null => meanOf(own.map((pair) => fallIn(pair, of)));
  const counted = COUNTED[dimension];
  const others = product.JUDGE_DIMENSIONS.filter((other) => other !== dimension);
  return {
    n: own.length,
    lower: countOf(own, isLower),
    lowerShare: shareOf(own, isLower),
    fall: fall(dimension),
    // Whether no other dimension falls by more.
    fallsMost: countOf(own, (pair) =>
      product.JUDGE_DIMENSIONS.every((of) => fallIn(pair, of) <= fallIn(pair, dimension)),
    ),
    others: byKey(others, fall),
    countingLower: countOf(
      own,
      ({ original, spoiled }) => counted(spoiled.document) < counted(original.document),
    ),
  };
}

type Counted = (document: Judged['document']) => number;
const words: Counted = ({ parts }) => parts.reduce((sum, { markdown }) => sum + wordsIn(markdown), 0);
const cited: Counted = ({ parts }) =>
  new Set(parts.flatMap(({ markdown }) => [...markdown.matchAll(/\[(\d+)\]/g)].map(([, n]) => n))).size;
const perParagraph: Counted = (document) =>
  words(document) / Math.max(1, document.parts.flatMap(({ markdown }) => markdown.split('\n\n')).length);

/** The plain baseline: what can be counted of a text without reading it, one count for each dimension. */
const COUNTED: Record<Dimension, Counted> = {
  factualAccuracy: cited,
  completeness: words,
  coverage: cited,
  coherence: perParagraph,
  bias: words,
};

function told(title: string, { judgement }: Judged): string {
  const scores = product.JUDGE_DIMENSIONS.map((dimension) => {
    const { score, reason } = judgement.scores[dimension];
    return `  ${dimension} ${score}: ${reason}`;
  });
  return [`${title}: ${judgement.overall}`, ...scores].join('\n');
}
