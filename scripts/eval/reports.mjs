// Reports that others wrote: what is found of their citations and of their lists of sources.
import { performance } from 'node:perf_hooks';
import { built } from './built.mjs';
import { draw } from './draw.mjs';
import { readRecords } from './read-records.mjs';
import { rounded, share } from './shares.mjs';

const HAN = /\p{Script=Han}/gu;

/** Each line has an `id` and the report as `article`. With `explain`, the citations of one report that lead nowhere. */
export function reportsSuite({ file, questions: most, seed, explain, say }) {
  const { readCitedReport } = built('cited-text/read-cited-report.js');
  const records = draw(readRecords(file, { article: 'text' }), most, seed);
  const startedAt = performance.now();
  const read = records.map(({ id, article }) => figuresOf(String(id), article, readCitedReport(article)));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const { id, open } of read) if (id === explain) open.forEach((line) => say(line));
  const languages = new Map();
  for (const one of read) languages.set(one.language, [...(languages.get(one.language) ?? []), one]);
  return {
    n: read.length,
    ...together(read),
    perLanguage: Object.fromEntries(
      [...languages].map(([name, of]) => [name, { n: of.length, ...together(of) }]),
    ),
    withoutCitations: idsOf(read, ({ citations }) => citations === 0),
    withoutEntries: idsOf(read, ({ entries }) => entries === 0),
    seconds: rounded(seconds, 2),
  };
}

function figuresOf(id, article, { citations, entries, statements }) {
  const own = (citation) => citation.entry !== null && entries[citation.entry].origin !== 'link';
  const listed = entries.filter(({ origin }) => origin !== 'link').length;
  const cited = new Set(citations.filter(own).map(({ entry }) => entry)).size;
  const open = citations.filter((citation) => !own(citation));
  const labels = entries.map(({ label }) => label);
  return {
    id,
    language: (article.match(HAN) ?? []).length > article.length / 10 ? 'chinese' : 'other',
    citations: citations.length,
    byForm: countsOf(citations.map(({ form }) => form)),
    resolved: citations.length - open.length,
    unresolved: countsOf(open.map((citation) => reasonOf(citation, labels))),
    entries: listed,
    cited,
    unused: listed - cited,
    statements: statements.length,
    open: open.map(({ line, written, label }) => `line ${line}: ${written} (${label})`),
  };
}

function reasonOf({ entry, label }, labels) {
  if (entry !== null) return 'addressOfNoEntry';
  return labels.includes(label) ? 'severalEntries' : 'noSuchEntry';
}

function together(read) {
  const sum = (key) => read.reduce((total, one) => total + one[key], 0);
  const citations = sum('citations');
  const entries = sum('entries');
  const resolved = sum('resolved');
  const cited = sum('cited');
  return {
    resolvedShare: share(resolved, citations),
    citedShare: share(cited, entries),
    counts: { citations, resolved, entries, cited, unused: sum('unused'), statements: sum('statements') },
    byForm: added(read.map(({ byForm }) => byForm)),
    unresolved: added(read.map(({ unresolved }) => unresolved)),
  };
}

function countsOf(names) {
  return added(names.map((name) => ({ [name]: 1 })));
}

function added(counts) {
  const total = {};
  for (const count of counts)
    for (const [name, many] of Object.entries(count)) total[name] = (total[name] ?? 0) + many;
  return total;
}

function idsOf(read, isOne) {
  return read.filter(isOne).map(({ id }) => id);
}
