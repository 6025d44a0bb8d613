import { acronymsOf, expandAcronyms, shareAcronyms } from '../assertions/acronyms';
import { outcomeConcept } from '../assertions/concepts';
import type { SourceWindow } from '../contracts/passage';
import { terms } from '../../language/words';
import { assessSentence } from '../worth/assess-sentence';
import { contentStems } from '../worth/content-stems';
import type { Genre } from '../worth/kinds';
import { genreOf, sentencesOf, type SourceSentence } from '../worth/source-sentences';
import { closeSets } from './close-sets';
import { type Standing, standingOf } from './standing';

/** A sentence of a further source that can be held against a finding. */
export interface ResultSentence {
  source: SourceWindow;
  sentence: SourceSentence;
  terms: ReadonlySet<string>;
}

export interface ClosePair {
  one: ResultSentence;
  other: ResultSentence;
  /** Whether both are worth reporting; else they only speak of their own study, and may say nothing that can be denied. */
  worthReporting: boolean;
}

/** The sentences of several sources by their terms; what a sentence is worth is only looked into once it is asked for. */
export interface ResultSentences {
  /** Those that share the most with any of the wanted sets of terms, best first, of other sources than the excepted. */
  search(
    wanted: readonly (readonly string[])[],
    except: ReadonlySet<string>,
    count: number,
  ): ResultSentence[];
  /** Sentences of different sources that share most of their terms, so that the one may deny what the other says. */
  closePairs(): ClosePair[];
  acronyms: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** A sentence must hold at least this share of the terms of one wanted set. */
const MIN_SHARE = 0.6;
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
        const own = new Set(outcomeConcept(expandAcronyms(sentence.text, known)).terms);
        for (const term of own) {
          const posting = postings.get(term);
          if (posting === undefined) postings.set(term, [entries.length]);
          else posting.push(entries.length);
        }
        entries.push({ source, sentence, terms: own });
      }
    }
  }
  const results = new Map<number, boolean>();
  const isResult = (index: number): boolean => {
    const entry = entries[index];
    if (entry === undefined) return false;
    const known = results.get(index);
    if (known !== undefined) return known;
    const { sentence, source } = entry;
    const result =
      assessSentence(sentence.text, {
        zone: sentence.zone,
        inAbstract: sentence.inAbstract,
        genre: genres.get(source.sourceId) ?? 'document',
        knownAcronyms: new Set(acronyms.get(source.sourceId)?.keys() ?? []),
      }).worth > 0;
    results.set(index, result);
    return result;
  };
  const standings = new Map<ResultSentence, Standing>();
  const standing = (entry: ResultSentence): Standing => {
    const { sentence, source } = entry;
    const known = standings.get(entry) ?? standingOf(sentence, genres.get(source.sourceId) ?? 'document');
    standings.set(entry, known);
    return known;
  };
  /** Studies tell what was done to whom; of other texts only the title does. */
  const onOneSubject = (one: SourceWindow, other: SourceWindow): boolean => {
    if (one.sourceId === other.sourceId) return false;
    if (genres.get(one.sourceId) === 'study' && genres.get(other.sourceId) === 'study') return true;
    const named = new Set(terms(one.title));
    return terms(other.title).some((term) => named.has(term));
  };
  return {
    acronyms,
    closePairs() {
      const sets = entries.map(
        ({ sentence, source }) =>
          new Set(contentStems(expandAcronyms(sentence.text, acronyms.get(source.sourceId) ?? new Map()))),
      );
      return closeSets(sets).flatMap(([a, b]): ClosePair[] => {
        const [one, other] = [entries[a], entries[b]];
        if (one === undefined || other === undefined || !onOneSubject(one.source, other.source)) return [];
        const [first, second] = [standing(one), standing(other)];
        if (first === 'none' || second === 'none') return [];
        return [{ one, other, worthReporting: first === 'result' && second === 'result' }];
      });
    },
    search(wanted, except, count) {
      const scores = new Map<number, number>();
      for (const set of wanted) {
        const weights = new Map(
          set.map((term) => [
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
