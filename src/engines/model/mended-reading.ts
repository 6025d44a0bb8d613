import { betterReading, type Reading, type AnswerProblem, fieldOf } from './answers/reading';
import type { AskedStep } from './asked-step';
import type { ModelResponse } from './port/model-client';
import { repairMessages } from './prompt-messages';
import { readValue, valueOf } from './read-json-answer';
import { repairTurn } from './repair-turn';
import type { Question } from './step-calls';
import { isRecord } from '../../core/values/is-record';

const LEAVE_OUT = 'Leave out what you cannot support from the material.';
const REPAIR_REQUEST = `Answer again in full, in the same form, with these problems mended. Keep what was right as it was. ${LEAVE_OUT}`;
const REPAIR_ITEMS = `Answer in the same form with these items alone, mended, and with none that was right: those stand as they are. ${LEAVE_OUT}`;

/**
 * What a whole answer comes to; where it has problems, one more turn with the diagnostics, and the better of both readings. Where
 * the problems are of single items that turn asks for these alone.
 * `by` says whether that turn may be asked now, or has to have been answered before.
 */
export async function mendedReading<Input, Output>(
  asked: AskedStep<Input, Output>,
  input: Input,
  { question, response }: { question: Question; response: ModelResponse },
  by: 'ask' | 'answeredBefore',
): Promise<Reading<Output>> {
  const { answer, calls } = asked;
  const read = valueOf(asked, response);
  const first = 'unread' in read ? read.unread : readValue(asked, input, read.value);
  // A second try asks for less, and is not mended: it would cost more than the first.
  if (first.problems.length === 0 || (by === 'ask' && calls.turn > 0)) return first;
  const items =
    'unread' in read || answer.lists === undefined
      ? null
      : faultyItems(read.value, answer.lists, first.problems);
  const messages =
    items === null
      ? repairMessages(question.messages, response.text, first.problems, REPAIR_REQUEST)
      : repairMessages(
          question.messages,
          items.shown === null ? response.text : JSON.stringify(items.shown),
          items.problems,
          REPAIR_ITEMS,
        );
  const again = { ...question, messages };
  if (!calls.fits(again, 'repair')) return first;
  const mended = by === 'ask' ? await repairTurn(() => calls.ask(again)) : await calls.answeredBefore(again);
  if (mended === null || !isWhole(mended)) return first;
  const second = valueOf(asked, mended);
  if ('unread' in second) return betterReading(first, second.unread);
  const whole = items === null ? second.value : items.merge(second.value);
  return betterReading(first, readValue(asked, input, whole));
}

export function isWhole({ finishReason }: ModelResponse): boolean {
  return finishReason === 'stop' || finishReason === 'other';
}

/** What of an answer is wrong, to be asked for by itself: forty items are not written anew for the sake of one. */
interface FaultyItems {
  /** The answer with these items alone; null where what is wrong with it is only what it lacks. */
  shown: Record<string, unknown[]> | null;
  /** The problems, by the places of the items in what is shown. */
  problems: AnswerProblem[];
  merge(mended: unknown): unknown;
}

interface ListOfItems {
  name: string;
  items: readonly unknown[];
  faulty: readonly number[];
  lacks: boolean;
}

/**
 * The items of an answer's lists that its problems name; null where a problem is about something else, or where nothing would
 * stand without them. `lists` has the lists whose items stand each by itself.
 */
function faultyItems(
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
