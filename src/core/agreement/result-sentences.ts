import { acronymsOf, expandAcronyms, shareAcronyms } from '../assertions/acronyms';
import { outcomeConcept } from '../assertions/concepts';
import type { SourceWindow } from '../contracts/passage';
import { acronymsIn } from '../worth/acronyms';
import { assessSentence } from '../worth/assess-sentence';
import type { Genre, SentenceAssessment, SentenceKind } from '../worth/kinds';
import { genreOf, sentencesOf, type SourceSentence } from '../worth/source-sentences';

/** A sentence of a further source that can be held against a finding. */
export interface ResultSentence {
  source: SourceWindow;
  sentence: SourceSentence;
  terms: ReadonlySet<string>;
}

/** The sentences of several sources by their terms; what a sentence is worth is only looked into once it is asked for. */
export interface ResultSentences {
  /** Those that share the most with any of the wanted sets of terms, best first, of other sources than the excepted. */
  search(
    wanted: readonly (readonly string[])[],
    except: ReadonlySet<string>,
    count: number,
  ): ResultSentence[];
  /** Pairs of different sources' sentences that share most of their terms, so that the one may deny what the other says. */
  closePairs(): [ResultSentence, ResultSentence][];
  acronyms: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** A sentence must hold at least this share of the terms of one wanted set. */
const MIN_SHARE = 0.6;
/** Of two sentences' terms together so many must be in both for them to be on one thing in nearly one wording. */
const CLOSE = 0.6;
const MIN_CLOSE_TERMS = 2;
/** What a source says of its own study, though no reader would ask for it, and where it says so. */
const NOT_WORTH_REPORTING: ReadonlySet<SentenceKind> = new Set(['no-result', 'process']);
const POINTER = /\s*\((?:see )?(?:data not shown|not shown|(?:supplementary |additional )?(?:tables?|figs?\.?|figures?)\b[^()]*)\)/gi;
const TELLS_RESULTS: ReadonlySet<SourceSentence['zone']> = new Set([
  'abstract',
  'results',
  'conclusions',
  'unknown',
]);
const READ_ZONES: ReadonlySet<SourceSentence['zone']> = new Set([
  'abstract',
  'results',
  'conclusions',
  'discussion',
  'title',
  'unknown',
]);

/** The first definition of each abbreviation in what is at hand of the source. */
function definedIn(source: SourceWindow): Map<string, string> {
  const known = new Map<string, string>();
  for (const { text } of source.passages) {
    for (const [short, long] of acronymsOf(text)) if (!known.has(short)) known.set(short, long);
  }
  return known;
}

export function indexResults(sources: readonly SourceWindow[]): ResultSentences {
  const entries: ResultSentence[] = [];
  const postings = new Map<string, number[]>();
  const acronyms = shareAcronyms(new Map(sources.map((source) => [source.sourceId, definedIn(source)])));
  const genres = new Map<string, Genre>();
  for (const source of sources) {
    const known = acronyms.get(source.sourceId) ?? new Map<string, string>();
    genres.set(source.sourceId, genreOf(source.passages));
    for (const passage of source.passages) {
      for (const sentence of sentencesOf(passage)) {
        if (!READ_ZONES.has(sentence.zone) || sentence.text.length < 25 || sentence.text.length > 700)
          continue;
        const terms = new Set(outcomeConcept(expandAcronyms(sentence.text, known)).terms);
        for (const term of terms) {
          const posting = postings.get(term);
          if (posting === undefined) postings.set(term, [entries.length]);
          else posting.push(entries.length);
        }
        entries.push({ source, sentence, terms });
      }
    }
  }
  const assess = (
    { sentence, source }: ResultSentence,
    knownAcronyms: ReadonlySet<string>,
    text = sentence.text,
  ): SentenceAssessment =>
    assessSentence(text, {
      zone: sentence.zone,
      inAbstract: sentence.inAbstract,
      genre: genres.get(source.sourceId) ?? 'document',
      knownAcronyms,
    });
  const results = new Map<number, boolean>();
  const isResult = (index: number): boolean => {
    const entry = entries[index];
    if (entry === undefined) return false;
    const known = results.get(index);
    if (known !== undefined) return known;
    const result = assess(entry, new Set(acronyms.get(entry.source.sourceId)?.keys() ?? [])).worth > 0;
    results.set(index, result);
    return result;
  };
  const isOwnStatement = (entry: ResultSentence): boolean => {
    const text = entry.sentence.text.replace(POINTER, '');
    const { worth, kind } = assess(entry, new Set(acronymsIn(text)), text);
    return worth > 0 || (NOT_WORTH_REPORTING.has(kind) && TELLS_RESULTS.has(entry.sentence.zone));
  };
  return {
    acronyms,
    closePairs() {
      return closeTermSets(entries.map(({ terms }) => terms), postings)
        .filter(([a, b]) => entries[a]?.source.sourceId !== entries[b]?.source.sourceId)
        .flatMap(([a, b]): [ResultSentence, ResultSentence][] => {
          const [one, other] = [entries[a], entries[b]];
          return one === undefined || other === undefined ? [] : [[one, other]];
        })
        .filter((pair) => pair.every(isOwnStatement));
    },
    search(wanted, except, count) {
      const scores = new Map<number, number>();
      for (const terms of wanted) {
        const weights = new Map(
          terms.map((term) => [
            term,
            Math.log(1 + entries.length / (postings.get(term)?.length ?? entries.length)),
          ]),
        );
        const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
        const own = new Map<number, number>();
        for (const [term, weight] of weights) {
          for (const index of postings.get(term) ?? []) own.set(index, (own.get(index) ?? 0) + weight);
        }
        for (const [index, score] of own) {
          if (score >= whole * MIN_SHARE)
            scores.set(index, Math.max(scores.get(index) ?? 0, score / whole + score / 1_000));
        }
      }
      const found: ResultSentence[] = [];
      for (const [index] of [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0])) {
        const entry = entries[index];
        if (entry === undefined || except.has(entry.source.sourceId) || !isResult(index)) continue;
        found.push(entry);
        if (found.length >= count) break;
      }
      return found;
    },
  };
}

/**
 * Pairs of sets, by their indices in ascending order, of whose members at least `CLOSE` are in both. Two such sets share one
 * of the rarest members that are left when as many are taken away as they may have for themselves, so that only sets that
 * meet there are compared.
 */
function closeTermSets(
  sets: readonly ReadonlySet<string>[],
  postings: ReadonlyMap<string, readonly number[]>,
): [number, number][] {
  const spread = (term: string): number => postings.get(term)?.length ?? 0;
  const met = new Map<string, number[]>();
  const pairs: [number, number][] = [];
  sets.forEach((terms, index) => {
    if (terms.size < MIN_CLOSE_TERMS) return;
    const rarest = [...terms].sort((a, b) => spread(a) - spread(b) || (a < b ? -1 : 1));
    const candidates = new Set<number>();
    for (const term of rarest.slice(0, terms.size - Math.ceil(CLOSE * terms.size) + 1)) {
      const before = met.get(term);
      if (before === undefined) met.set(term, [index]);
      else {
        for (const other of before) candidates.add(other);
        before.push(index);
      }
    }
    for (const other of [...candidates].sort((a, b) => a - b)) {
      const others = sets[other];
      if (others === undefined) continue;
      // Two words are only then enough when they are all that both say.
      const least = Math.min(terms.size, others.size) > MIN_CLOSE_TERMS ? CLOSE : 1;
      if (likeness(terms, others) >= least) pairs.push([other, index]);
    }
  });
  return pairs;
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of one) if (other.has(term)) shared += 1;
  return shared / (one.size + other.size - shared);
}
