import { z } from 'zod';
import { present } from '../seeded-draw';
import { share, stopwatch, sumOf } from '../figures';
import * as product from '../product';
import { readRecords } from '../records';
import { measured, type Suite } from '../suite';

const HAN = /\p{Script=Han}/gu;
const Written = z.object({ id: z.union([z.string(), z.number()]).optional(), article: z.string() });

/**
 * Reports that others wrote, each with an `id` and its text as `article`: what is found of their citations and of their lists of
 * sources. With `--explain`, the citations of one report that lead nowhere.
 */
export const reports: Suite = {
  usage: 'reports FILE.jsonl [--questions N --seed S] [--explain ID]',
  options: ['questions', 'seed', 'explain'],
  measure(call) {
    const items = readRecords(call.file, Written);
    const seconds = stopwatch(2);
    return measured(call, {
      items,
      idOf: ({ id }) => String(id),
      find: ({ id, article }) => figuresOf(String(id), article),
      explain: ({ open }) => open.join('\n'),
      figures(found) {
        const languages = [...product.groupedBy(found, ({ language }) => language)];
        const idsOf = (isOne: (one: Found) => boolean): string[] => found.filter(isOne).map(({ id }) => id);
        return {
          n: found.length,
          ...together(found),
          perLanguage: Object.fromEntries(
            languages.map(([name, of]) => [name, { n: of.length, ...together(of) }]),
          ),
          withoutCitations: idsOf(({ citations }) => citations === 0),
          withoutEntries: idsOf(({ entries }) => entries === 0),
          seconds: seconds(),
        };
      },
    });
  },
};

type Counts = Record<string, number>;
type Found = ReturnType<typeof figuresOf>;

function figuresOf(id: string, article: string) {
  const { citations, entries, statements } = product.readCitedReport(article);
  const isOwn = ({ entry }: { entry: number | null }): boolean =>
    entry !== null && present(entries[entry]).origin !== 'link';
  const listed = entries.filter(({ origin }) => origin !== 'link').length;
  const cited = new Set(citations.filter(isOwn).map(({ entry }) => entry)).size;
  const open = citations.filter((citation) => !isOwn(citation));
  const labels = entries.map(({ label }) => label);
  const reasonOf = ({ entry, label }: (typeof open)[number]): string => {
    if (entry !== null) return 'addressOfNoEntry';
    return labels.includes(label) ? 'severalEntries' : 'noSuchEntry';
  };
  return {
    id,
    language: (article.match(HAN) ?? []).length > article.length / 10 ? 'chinese' : 'other',
    citations: citations.length,
    byForm: countsOf(citations.map(({ form }) => form)),
    resolved: citations.length - open.length,
    unresolved: countsOf(open.map(reasonOf)),
    entries: listed,
    cited,
    unused: listed - cited,
    statements: statements.length,
    open: open.map(({ line, written, label }) => `line ${line}: ${written} (${label})`),
  };
}

function together(found: readonly Found[]): object {
  const citations = sumOf(found, (one) => one.citations);
  const resolved = sumOf(found, (one) => one.resolved);
  const entries = sumOf(found, (one) => one.entries);
  const cited = sumOf(found, (one) => one.cited);
  const unused = sumOf(found, (one) => one.unused);
  const statements = sumOf(found, (one) => one.statements);
  return {
    resolvedShare: share(resolved, citations),
    citedShare: share(cited, entries),
    counts: { citations, resolved, entries, cited, unused, statements },
    byForm: added(found.map(({ byForm }) => byForm)),
    unresolved: added(found.map(({ unresolved }) => unresolved)),
  };
}

function countsOf(names: readonly string[]): Counts {
  return added(names.map((name) => ({ [name]: 1 })));
}

function added(counts: readonly Counts[]): Counts {
  const total: Counts = {};
  for (const [name, many] of counts.flatMap((count) => Object.entries(count)))
    total[name] = (total[name] ?? 0) + many;
  return total;
}
