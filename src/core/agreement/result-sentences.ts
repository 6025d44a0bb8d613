import { acronymsOf, expandAcronyms, shareAcronyms } from '../assertions/acronyms';
import { outcomeConcept } from '../assertions/concepts';
import type { SourceWindow } from '../contracts/passage';
import { assessSentence } from '../worth/assess-sentence';
import type { Genre } from '../worth/kinds';
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
  const worth = new Map<number, boolean>();
  const isResult = (index: number): boolean => {
    const entry = entries[index];
    if (entry === undefined) return false;
    const known = worth.get(index);
    if (known !== undefined) return known;
    const { sentence, source } = entry;
    const result =
      assessSentence(sentence.text, {
        zone: sentence.zone,
        inAbstract: sentence.inAbstract,
        genre: genres.get(source.sourceId) ?? 'document',
        knownAcronyms: new Set(acronyms.get(source.sourceId)?.keys() ?? []),
      }).worth > 0;
    worth.set(index, result);
    return result;
  };
  return {
    acronyms,
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
