import { type ParsedQuestion, topicsOf } from '../question/parse-question';
import { leading } from './headings';
import type { ListedTerm, QuestionFit } from './question-fit';
import type { Roles } from './roles';
import type { TermSpace } from './term-space';

/** The question's words among the collection's stems. */
export function wordsOfQuestion(space: TermSpace, question: ParsedQuestion): Set<number> {
  const asked = new Set(topicsOf(question).flatMap((topic) => topic.words.map((word) => word.stem)));
  // `D3` is a sort of `D`.
  return new Set(
    [...space.collection.stems.keys()].filter((stem) =>
      asked.has((space.collection.stems[stem] ?? '').replace(/(?<=\p{L})\d+$/u, '')),
    ),
  );
}

/** A listed word that hardly stands alone is replaced by the phrase that it stands in most: `bone` by `bone mineral density`. */
export function inFullerWords(
  space: TermSpace,
  candidates: readonly number[],
  listed: ReadonlyMap<number, ListedTerm>,
): Map<number, ListedTerm> {
  const good = new Set(candidates);
  const result = new Map<number, ListedTerm>();
  for (const [term, own] of listed) {
    const phrase = space.phrases[term];
    if (phrase === undefined) continue;
    const standsAlone = phrase.freeCount >= 0.25 * phrase.plainCount;
    const fuller = candidates
      .filter(
        (candidate) =>
          candidate !== term && phrase.stems.every((stem) => space.phrases[candidate]?.stems.includes(stem)),
      )
      .sort(
        (a, b) => (space.phrases[b]?.sources.length ?? 0) - (space.phrases[a]?.sources.length ?? 0) || a - b,
      )[0];
    if (good.has(term) || standsAlone || fuller === undefined) result.set(term, own);
    else result.set(fuller, { ...own, text: null });
  }
  return result;
}

/**
 * Where a question lists whom or where, its subject goes with each: `Probiotics in infants`. What it lists beside its main
 * topic stands for itself: `Back pain` where it asks of arthritis or back pain.
 */
export function askedHeadings(
  listed: ReadonlyMap<number, ListedTerm>,
  question: ParsedQuestion,
  mainTopic: string | null,
): Map<number, string> {
  const listsMainTopic = question.parts
    .flatMap(({ facets }) => facets)
    .some(({ topics }) => topics.length > 1 && topics.some(({ text }) => text === mainTopic));
  return new Map(
    [...listed].flatMap(([term, { text, role }]) => {
      if (text === null || role !== 'condition' || mainTopic === null) return [];
      return [[term, listsMainTopic ? text : `${mainTopic} in ${text}`] as const];
    }),
  );
}

/**
 * What a question asks the kinds of is no kind itself: no section on `lifestyle interventions` among the interventions.
 * Nor is a part of a topic a side of it: no section on `life` where it asks of `quality of life`.
 */
export function withoutSubject(
  candidates: readonly number[],
  space: TermSpace,
  question: ParsedQuestion,
  fit: QuestionFit,
): number[] {
  const asked = wordsOfQuestion(space, question);
  const topics = topicsOf(question).map(({ words }) => new Set(words.map(({ stem }) => stem)));
  return candidates.filter((term) => {
    const stems = space.phrases[term]?.stems ?? [];
    if (fit.broad) return !stems.every((stem) => asked.has(stem));
    const words = stems.map((stem) => space.collection.stems[stem] ?? '');
    return !topics.some((topic) => words.length < topic.size && words.every((word) => topic.has(word)));
  });
}

/** A question about what something does is divided by what it acts on; one about an outcome by what acts on that. */
export function sideWanted(fit: QuestionFit, roles: Roles | undefined): number {
  const role = leading(roles, 1);
  if (fit.broad || role === null || fit.mainRole === null) return 1;
  const wanted = fit.mainRole === 'subject' ? role !== 'cause' : role === 'cause';
  return wanted ? 1.5 : 0.5;
}
