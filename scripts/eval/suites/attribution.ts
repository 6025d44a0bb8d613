import { z } from 'zod';
import { countOf, meanOf, rounded, share, shareOf, sumOf } from '../figures';
import * as product from '../product';
import { crossValidated } from '../ranking';
import { readRecords, UsageError } from '../records';
import { measured, type Suite } from '../suite';

const LIKELY = 0.5;
const HIGH = 0.8;
const LOW = 0.2;
const BINS = 10;
/** The plain baseline looks at so many sentences at once; what is enough of them is tuned on the development half of AttributionBench. */
const SENTENCES = 3;
const ENOUGH = 0.54;

/** By label, whether the references bear the claim; what they bear in part they do not bear. */
const IS_BORNE: Readonly<Record<string, boolean>> = {
  attributable: true,
  'not attributable': false,
  supported: true,
  'partially supported': false,
  'not supported': false,
};

const Record = z.object({
  id: z.string().default(''),
  claim: z.string(),
  label: z.string(),
  references: z.unknown().optional(),
  evidence: z.unknown().optional(),
  subset: z.string().default('all'),
});

interface Claim {
  id: string;
  claim: string;
  isBorne: boolean;
  subset: string;
  passages: string[];
}

/** What words alone tell of a claim beside what it cites: the learned score, and the verdicts without a model. */
export const attribution: Suite = {
  usage: 'attribution FILE.jsonl [--questions N --seed S]',
  options: ['questions', 'seed'],
  measure(call) {
    const { isLearnedFrom, weightsOf } = crossValidated<
      NonNullable<Parameters<typeof product.bearingScoreOn>[2]>
    >('bearing-cross-validation.json');
    return measured(call, {
      items: readClaims(call.file),
      find({ id, claim, passages, isBorne, subset }) {
        const before = process.cpuUsage();
        const score = product.bearingScoreOn(claim, passages.map(product.indexPassage), weightsOf(id));
        const { user, system } = process.cpuUsage(before);
        // Of one core, whoever else may use the machine.
        return { isBorne, subset, score, seconds: (user + system) / 1e6 };
      },
      figures(scored, claims) {
        const likely = scored.map((one) => ({ ...one, isSaid: one.score >= LIKELY }));
        const overlapping = claims.map((one) => ({ isBorne: one.isBorne, isSaid: hasOverlap(one) }));
        const high = precisionAmong(scored, ({ score }) => score >= HIGH, true);
        const low = precisionAmong(scored, ({ score }) => score <= LOW, false);
        const { counts, ...verdicts } = verdictFigures(claims);
        const { macroF1, classes } = classFigures(likely);
        const subsets = [...product.groupedBy(likely, ({ subset }) => subset)];
        return {
          n: claims.length,
          macroF1,
          classes,
          subsets: Object.fromEntries(
            subsets.map(([subset, part]) => [subset, { n: part.length, ...classFigures(part) }]),
          ),
          crossValidated: countOf(claims, ({ id }) => isLearnedFrom(id)),
          ...verdicts,
          calibrationError: calibrationError(scored),
          precisionAt80: high.share,
          precisionAt20: low.share,
          claimsPerSecond: rounded(claims.length / sumOf(scored, ({ seconds }) => seconds), 0),
          counts: {
            attributable: countOf(claims, ({ isBorne }) => isBorne),
            ...counts,
            precisionAt80: high.n,
            precisionAt20: low.n,
          },
          baseline: classFigures(overlapping),
        };
      },
    });
  },
};

/**
 * Claims in the format of AttributionBench, each of whose references is a passage, or of WiCE, whose evidence is the sentences
 * of one page. A claim comes without citation marks, as everybody's report is read.
 */
function readClaims(file: string): Claim[] {
  return readRecords(file, Record).map(({ id, claim, label, references, evidence, subset }, at) => {
    const isBorne = IS_BORNE[label.toLowerCase().replaceAll('_', ' ')];
    const labels = Object.keys(IS_BORNE).join(', ');
    if (isBorne === undefined)
      throw new UsageError(`${file}, record ${at + 1}: the label "${label}" is none of ${labels}.`);
    const { data: texts } = z.array(z.string()).safeParse(references ?? evidence);
    if (texts === undefined)
      throw new UsageError(`${file}, record ${at + 1} has no list of texts as "references" or "evidence".`);
    const passages = references === undefined ? [texts.join('\n')] : texts;
    return { id, claim: product.withoutCitationMarks(claim), isBorne, subset, passages };
  });
}

/** The plain baseline: whether three sentences that follow each other hold enough of a claim's content words. */
function hasOverlap({ claim, passages }: Claim): boolean {
  const wanted = new Set(product.terms(claim));
  if (wanted.size === 0) return false;
  return passages.some((passage) => {
    const held = product
      .splitSentences(passage)
      .map(({ text }) => product.terms(text).filter((term) => wanted.has(term)));
    return held.some(
      (_terms, from) => new Set(held.slice(from, from + SENTENCES).flat()).size >= ENOUGH * wanted.size,
    );
  });
}

interface ClassFigures {
  macroF1: number | null;
  classes: object;
}

/** F1 of both classes and their mean, each class with how many there are. */
function classFigures(records: readonly { isBorne: boolean; isSaid: boolean }[]): ClassFigures {
  /** Null where there is none of the class, and none is said to be. */
  const classF1 = (isBorne: boolean): { f1: number | null; n: number; said: number; right: number } => {
    const there = records.filter((record) => record.isBorne === isBorne);
    const said = countOf(records, (record) => record.isSaid === isBorne);
    const right = countOf(there, (record) => record.isSaid === isBorne);
    return { f1: share(2 * right, there.length + said), n: there.length, said, right };
  };
  const [borne, notBorne] = [classF1(true), classF1(false)];
  return {
    macroF1: meanOf([borne.f1, notBorne.f1].filter((f1) => f1 !== null)),
    classes: { attributable: borne, notAttributable: notBorne },
  };
}

/** How far, on average, the score of a tenth of its range is from the share in it that is borne. */
function calibrationError(records: readonly { score: number; isBorne: boolean }[]): number | null {
  const bins = product.groupedBy(records, ({ score }) => Math.min(BINS - 1, Math.floor(score * BINS)));
  const distances = [...bins.values()].map((bin) =>
    Math.abs(sumOf(bin, ({ score }) => score) - countOf(bin, ({ isBorne }) => isBorne)),
  );
  return share(
    sumOf(distances, (distance) => distance),
    records.length,
  );
}

/** Of the records that are chosen, how many there are and the share that is borne, or that is not. */
function precisionAmong<Item extends { isBorne: boolean }>(
  records: readonly Item[],
  isChosen: (record: Item) => boolean,
  isBorne: boolean,
): { n: number; share: number | null } {
  const chosen = records.filter(isChosen);
  return { n: chosen.length, share: shareOf(chosen, (record) => record.isBorne === isBorne) };
}

/** What the verdicts without a model are worth: how many claims get one, and how often the label agrees. */
function verdictFigures(claims: readonly Claim[]): { counts: object } {
  const judged = claims.map(({ claim, passages, isBorne }) => {
    const cited = passages.map((text, at) => ({ sourceId: `source-${at}`, text, start: 0 }));
    const { verdict, code } = product.verifyClaim(claim, { cited, attribution: [] });
    const held = product.numberedTexts(
      passages.flatMap((text) => product.splitSentences(text).map((one) => one.text)),
    );
    return { isBorne, verdict, code, lacksNumber: product.absentNumbers(claim, held).length > 0 };
  });
  const decided = countOf(judged, ({ verdict }) => verdict !== 'unchecked');
  const among = (isBorne: boolean, ...verdicts: string[]): { n: number; share: number | null } =>
    precisionAmong(judged, ({ verdict }) => verdicts.includes(verdict), isBorne);
  const supported = among(true, 'supported');
  const unsupported = among(false, 'unsupported');
  const contradicted = among(false, 'contradicted');
  const either = among(false, 'unsupported', 'contradicted');
  const lacking = precisionAmong(judged, ({ lacksNumber }) => lacksNumber, false);
  const codes = [...product.groupedBy(judged, ({ code }) => code)].map(([code, part]) => [
    code,
    { n: part.length, attributable: countOf(part, ({ isBorne }) => isBorne) },
  ]);
  const figures = {
    decidedByWords: share(decided, judged.length),
    supportedAttributable: supported.share,
    unsupportedNotAttributable: unsupported.share,
    contradictedNotAttributable: contradicted.share,
    unsupportedOrContradictedNotAttributable: either.share,
    numberAbsentNotAttributable: lacking.share,
    codes: Object.fromEntries(codes) as object,
  };
  const counts = {
    decidedByWords: decided,
    supported: supported.n,
    unsupported: unsupported.n,
    contradicted: contradicted.n,
    unsupportedOrContradicted: either.n,
    numberAbsent: lacking.n,
  };
  return { ...figures, counts };
}
