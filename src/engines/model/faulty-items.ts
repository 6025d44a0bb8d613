import { isRecord } from '../../core/values/is-record';
import { type AnswerProblem, fieldOf } from './answers/reading';

/** What of an answer is wrong, to be asked for by itself: forty items are not written anew for the sake of one. */
export interface FaultyItems {
  /** The answer with these items alone; null where what is wrong with it is only what it lacks. */
  shown: Record<string, unknown[]> | null;
  /** The problems, by the places of the items in what is shown. */
  problems: AnswerProblem[];
  /** The whole answer again, with what came in their place. */
  merge(mended: unknown): unknown;
}

interface ListOfItems {
  name: string;
  items: readonly unknown[];
  /** The places of those that have a problem. */
  faulty: readonly number[];
  /** Whether items are missing from it. */
  lacks: boolean;
}

/**
 * The items of an answer's lists that its problems name; null where a problem is about something else, or where nothing would
 * stand without them. `lists` has the lists whose items stand each by itself.
 */
export function faultyItems(
  answer: unknown,
  lists: readonly string[],
  problems: readonly AnswerProblem[],
): FaultyItems | null {
  const places = problems.map(({ path }) => placeIn(path, lists));
  const read = lists.map((name): ListOfItems => {
    const own = places.filter((place) => place?.list === name);
    const indices = own.flatMap((place) => (place?.index === undefined ? [] : [place.index]));
    return {
      name,
      items: itemsOf(answer, name, name === lists[0]),
      faulty: [...new Set(indices)].sort((a, b) => a - b),
      lacks: own.some((place) => place?.index === undefined),
    };
  });
  const isElsewhere = places.some((place) => place === null);
  const nothingStands = read.every(({ items, faulty }) => items.length === faulty.length);
  const isUnread = read.some(({ items, lacks }) => lacks && items.length === 0);
  if (isElsewhere || nothingStands || isUnread) return null;
  const byName = new Map(read.map((list) => [list.name, list]));
  const someAreFaulty = read.some(({ faulty }) => faulty.length > 0);
  return {
    shown: someAreFaulty
      ? Object.fromEntries(read.map(({ name, items, faulty }) => [name, faulty.map((at) => items[at])]))
      : null,
    problems: problems.map((problem, at) => {
      const place = places[at];
      const shownAt = byName.get(place?.list ?? '')?.faulty.indexOf(place?.index ?? -1) ?? -1;
      if (!someAreFaulty || place === null || place === undefined || shownAt < 0) return problem;
      return { ...problem, path: `${place.list}.${shownAt}${place.rest}` };
    }),
    merge: (mended) => ({
      ...(isRecord(answer) ? answer : {}),
      ...Object.fromEntries(
        read.map((list) => [list.name, merged(list, itemsOf(mended, list.name, list.name === lists[0]))]),
      ),
    }),
  };
}

/** `findings.18.evidence.0` is in the list of findings, at 18; `findings` is about the list. */
function placeIn(
  path: string,
  lists: readonly string[],
): { list: string; index?: number; rest: string } | null {
  const [name = '', at, ...rest] = path.split('.');
  if (!lists.includes(name)) return null;
  if (at === undefined) return { list: name, rest: '' };
  const index = Number(at);
  if (!Number.isInteger(index)) return null;
  return { list: name, index, rest: rest.map((part) => `.${part}`).join('') };
}

/** A list that stands alone is the first of the lists that were asked for. */
function itemsOf(answer: unknown, name: string, isFirst: boolean): unknown[] {
  const value: unknown = Array.isArray(answer) && isFirst ? answer : fieldOf(answer, name);
  return Array.isArray(value) ? [...(value as unknown[])] : [];
}

/** A model that gives as many items as it had given all of them anew, whatever it was asked for. */
function merged({ items, faulty, lacks }: ListOfItems, mended: readonly unknown[]): unknown[] {
  if (!lacks && faulty.length > 0 && mended.length >= items.length) return [...mended];
  const left = items.filter((_item, at) => !faulty.includes(at));
  const known = new Set(left.map((item) => JSON.stringify(item)));
  return [...left, ...mended.filter((item) => !known.has(JSON.stringify(item)))];
}
