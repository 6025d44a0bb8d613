import { UsageError } from './records';
import { draw } from './seeded-draw';

// What a suite is, and the one way in which it is carried out.

/** What the options of all suites take; of counts only whole numbers from 1 on. */
export const OPTIONS = {
  questions: 'count',
  seed: 'count',
  explain: 'text',
  /** Questions of this file in the place of a collection's own. */
  asked: 'text',
  sources: 'texts',
  search: 'flag',
} as const;

export type Option = keyof typeof OPTIONS;

interface Values {
  count: number;
  text: string;
  texts: readonly string[];
  flag: boolean;
}

/** What a suite was called with. */
export type Call = { [Name in Option]?: Values[(typeof OPTIONS)[Name]] } & {
  /** The file or folder that is measured on. */
  file: string;
  seed: number;
  sources: readonly string[];
  say: (line: string) => void;
};

export interface Suite {
  usage: string;
  options: readonly Option[];
  measure: (call: Call) => object | Promise<object>;
}

/** What is measured in a call: the items, what is found of each, and the figures of all. */
interface Measurement<Item, Found> {
  /** All that there are, of which `--questions` are drawn. */
  items: readonly Item[];
  find: (item: Item, place: number) => Found | Promise<Found>;
  figures: (found: Found[], items: Item[]) => object | Promise<object>;
  /** For `--explain`: the id of an item, and what is told of it on standard error. */
  idOf?: (item: Item) => string;
  explain?: (found: Found, item: Item) => string;
  /** Whether one that is explained is measured alone. */
  isAlone?: boolean;
  /** What is said where none has that id: `no question "ID" with an answer`. */
  withWhat?: string;
}

/** Draws the items, finds what there is of each, explains the one that is asked for, and gives the figures. */
export async function measured<Item, Found>(
  call: Call,
  { items, find, figures, ...explaining }: Measurement<Item, Found>,
): Promise<object> {
  const { idOf = () => undefined, explain } = explaining;
  const taken: Item[] = [];
  const found: Found[] = [];
  for (const item of wantedOf(call, items, explaining)) {
    const own = await find(item, taken.length);
    taken.push(item);
    found.push(own);
    if (explain !== undefined && call.explain !== undefined && idOf(item) === call.explain)
      call.say(explain(own, item));
  }
  return figures(found, taken);
}

function wantedOf<Item, Found>(
  call: Call,
  items: readonly Item[],
  { idOf, isAlone = false, withWhat = '' }: Omit<Measurement<Item, Found>, 'items' | 'find' | 'figures'>,
): Item[] {
  if (call.explain === undefined || !isAlone) return draw(items, call.questions, call.seed);
  const one = items.filter((item) => idOf?.(item) === call.explain);
  if (one.length === 0) throw new UsageError(`${call.file} has no question "${call.explain}"${withWhat}.`);
  return one;
}
