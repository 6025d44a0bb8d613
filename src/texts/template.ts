/**
 * A text with holes, `{name}`; one that counts has a form for one and one for all else, chosen by `{n}` and the plural rules of its
 * language. What is written by a template can be read by it.
 */
export type Template = string | { one: string; other: string };

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
/** The names of a template's holes. */
export type Holes<T extends Template> = T extends string
  ? NamesIn<T>
  : T extends { other: infer Text extends string }
    ? NamesIn<Text> | 'n'
    : never;

/** What stands in these is a number; in any other whatever it is. */
const OF_NUMBERS: ReadonlySet<string> = new Set(
  'n at all count findings from to most others pass'.split(' '),
);
const HOLE = /\{(\w+)\}/g;

export function filled(
  template: Template,
  holes: Readonly<Record<string, string | number>>,
  plurals: Intl.PluralRules,
): string {
  return formOf(template, Number(holes['n']), plurals).replace(
    HOLE,
    (_hole, name: string) => `${holes[name] ?? ''}`,
  );
}

function formOf(template: Template, n: number, plurals: Intl.PluralRules): string {
  if (typeof template === 'string') return template;
  return plurals.select(n) === 'one' ? template.one : template.other;
}

/** What reads a text that was written by the template: all of it, with what stood in its holes by their names. */
export function readerOf(template: Template): (text: string) => Record<string, string> | null {
  const readers = (typeof template === 'string' ? [template] : [template.one, template.other]).map(
    (form, at) => ({ pattern: patternOf(form), isOne: typeof template !== 'string' && at === 0 }),
  );
  return (text) => {
    for (const { pattern, isOne } of readers) {
      const found = pattern.exec(text);
      if (found !== null) return { ...(isOne ? { n: '1' } : {}), ...found.groups };
    }
    return null;
  };
}

function patternOf(form: string): RegExp {
  const parts = form.split(HOLE).map((part, at) => {
    if (at % 2 === 0) return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    return OF_NUMBERS.has(part) ? String.raw`(?<${part}>\d+)` : `(?<${part}>.+?)`;
  });
  return new RegExp(`^${parts.join('')}$`, 's');
}
