import type { Conflict } from '../../../src/contracts/report/finding';
import { describeWithData } from '../../support/shared-data';
import { conflictsBetween } from './read-pair';
import { plainResults, quotableResults } from './result-sentences';
import { type Kind, type SourcePair, sourcePairs } from './source-pairs';
import { STUDIES, studiesOf, type Study } from './studies';

const CONTRADICTING: readonly Kind[] = ['number', 'direction', 'condition'];
const COMPATIBLE: readonly Kind[] = ['wording', 'population', 'dose'];
const EACH = 10;
const SEED = 1;
/** Reading two whole articles a pair takes minutes where other tests run beside. */
const READING_MS = 300_000;

interface ReadPair {
  kind: Kind;
  pair: SourcePair;
  conflicts: Conflict[];
}

async function readAll(
  kinds: readonly Kind[],
  results: (study: Study) => readonly string[],
): Promise<ReadPair[]> {
  const read: ReadPair[] = [];
  // The mechanism was made with the other half of the studies.
  const studies = studiesOf('odd');
  for (const kind of kinds) {
    for (const pair of sourcePairs(studies, kind, { seed: SEED, results }))
      read.push({ kind, pair, conflicts: await conflictsBetween(pair) });
  }
  return read;
}

/** The first ten pairs of each kind, in the order that the seed gives. */
function thirty(pairs: readonly ReadPair[], kinds: readonly Kind[]): ReadPair[] {
  const chosen = kinds.flatMap((kind) => pairs.filter((pair) => pair.kind === kind).slice(0, EACH));
  expect(chosen).toHaveLength(kinds.length * EACH);
  return chosen;
}

function flagged(pairs: readonly ReadPair[]): ReadPair[] {
  return pairs.filter(({ conflicts }) => conflicts.length > 0);
}

function share(pairs: readonly ReadPair[], kind?: Kind): number {
  const own = pairs.filter((pair) => kind === undefined || pair.kind === kind);
  return flagged(own).length / own.length;
}

describeWithData([STUDIES], 'a second source that denies a result of the first', () => {
  let pairs: ReadPair[];
  beforeAll(async () => {
    pairs = await readAll(CONTRADICTING, quotableResults);
  }, READING_MS);

  it('is found at least 25 times of 30: ten numbers, ten directions, ten conditions', () => {
    expect(flagged(thirty(pairs, CONTRADICTING)).length).toBeGreaterThanOrEqual(25);
  });

  it('is found in most of all pairs that the studies give', () => {
    expect(pairs.length).toBeGreaterThan(250);
    expect(share(pairs, 'number')).toBeGreaterThan(0.88);
    expect(share(pairs, 'direction')).toBeGreaterThan(0.9);
    expect(share(pairs, 'condition')).toBeGreaterThan(0.8);
  });

  it('gives a conflict of its kind, with both sentences word for word and a reason', () => {
    let told = 0;
    for (const { kind, pair, conflicts } of flagged(pairs)) {
      const contents = new Map([pair.a, pair.b].map(({ id, content }) => [id, content]));
      for (const { viewpoints, reason, resolution } of conflicts) {
        expect(resolution).toMatch(/^(?:present_both|favor_viewpoint_\d)$/);
        expect(reason).toMatch(/^(?:On|The sides|What they say) .+\.$/s);
        for (const { sourceId, quote, start, end } of viewpoints.flatMap(({ evidence }) => evidence))
          expect(contents.get(sourceId)?.slice(start, end)).toBe(quote);
      }
      const isTold = conflicts.some((conflict) => {
        const quotes = conflict.viewpoints.flatMap(({ evidence }) => evidence.map(({ quote }) => quote));
        const isOfKind = kind === 'condition' || conflict.kind === kind;
        return isOfKind && quotes.includes(pair.sentence) && quotes.includes(pair.changed);
      });
      if (isTold) told += 1;
    }
    expect(told / flagged(pairs).length).toBeGreaterThan(0.98);
  });
});

describeWithData(
  [STUDIES],
  'a second source that only says it otherwise, or of other people, or of another dose',
  () => {
    let pairs: ReadPair[];
    beforeAll(async () => {
      pairs = await readAll(COMPATIBLE, quotableResults);
    }, READING_MS);

    it('is taken for a contradiction at most 3 times of 30', () => {
      expect(flagged(thirty(pairs, COMPATIBLE)).length).toBeLessThanOrEqual(3);
    });

    it('is seldom taken for one among all pairs that the studies give', () => {
      expect(pairs.length).toBeGreaterThan(250);
      expect(share(pairs, 'wording')).toBeLessThan(0.03);
      expect(share(pairs, 'population')).toBeLessThan(0.12);
      expect(share(pairs, 'dose')).toBeLessThan(0.06);
    });
  },
);

describeWithData(
  [STUDIES],
  'contradictions in sentences that were chosen without regard to the reader',
  () => {
    it(
      'are found in four cases of five',
      async () => {
        const pairs = await readAll(CONTRADICTING, plainResults);
        expect(pairs.length).toBeGreaterThan(150);
        expect(share(pairs)).toBeGreaterThan(0.8);
      },
      READING_MS,
    );
  },
);
