/** A subtopic as it was given, read by nothing of the product. */
export interface GivenSubtopic {
  subtopic: string;
  summary: string;
  sources: { url: string }[];
}

/** What can be counted of a brief's Markdown with the summaries in the other hand. */
export interface CountedBrief {
  words: number;
  /** Titles of subtopics without a heading of their own. */
  subtopicsMissing: string[];
  /** Sentences that stand more than once in the parts on subtopics. */
  toldTwice: string[];
  /** Numbers that no summary has, with their sentences. */
  numbersElsewhere: string[];
  /** Numbers of citations that the list of sources does not have exactly once, and those that it has and nobody cites. */
  citationsWrong: number[];
  /** Sentences of a summary that cite another source than they do there. */
  citedElsewhere: string[];
  /** Sentences that stand word for word in a summary. */
  wordForWord: number;
  sentences: number;
}

const MARKS = /(?:\s*\[\d+\])+/g;
const NUMBER = /\d+(?:[.,]\d+)*/g;

/** Reads a brief as document 000 describes it, by its headings and marks alone: nothing here is the product's own. */
export function countedBrief(markdown: string, subtopics: readonly GivenSubtopic[]): CountedBrief {
  const sectionOf = (title: string): string =>
    new RegExp(`^## ${title}\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(markdown)?.[1]?.trim() ?? '';
  const findings = sectionOf('Key Findings');
  const body = ['Executive Summary', 'Key Findings', 'Conclusions'].map(sectionOf).join('\n\n');
  const listed = [...sectionOf('Sources').matchAll(/^\[(\d+)\] .*?(https?:\/\/\S+?)\. Accessed/gm)];
  const urls = new Map(listed.map(([, n, url]) => [Number(n), url]));
  const cited = new Set(numbersOf(body, /\[(\d+)\]/g));
  const timesListed = (n: number): number => listed.filter(([, one]) => Number(one) === n).length;
  const told = sentencesOf(findings);
  const keys = told.map(keyOf);
  const known = new Set(subtopics.flatMap(({ summary }) => summary.replace(MARKS, '').match(NUMBER) ?? []));
  const given = new Map(
    subtopics.flatMap(({ summary, sources }) =>
      sentencesOf(summary).map((sentence) => [
        keyOf(sentence),
        numbersOf(sentence, /\[(\d+)\]/g).map((n) => sources[n - 1]?.url),
      ]),
    ),
  );
  return {
    words: markdown.split(/\s+/).filter(Boolean).length,
    subtopicsMissing: subtopics
      .map(({ subtopic }) => subtopic)
      .filter((title) => !markdown.split('\n').includes(`### ${title}`)),
    toldTwice: keys.filter((key, at) => keys.indexOf(key) !== at),
    numbersElsewhere: sentencesOf(body).filter((sentence) =>
      (plain(sentence).match(NUMBER) ?? []).some((number) => !known.has(number)),
    ),
    citationsWrong: [...new Set([...cited, ...urls.keys()])].filter(
      (n) => timesListed(n) !== 1 || !cited.has(n),
    ),
    citedElsewhere: told.filter((sentence) => {
      const wanted = given.get(keyOf(sentence));
      const there = numbersOf(sentence, /\[(\d+)\]/g).map((n) => urls.get(n));
      return wanted !== undefined && !wanted.some((url) => there.includes(url));
    }),
    wordForWord: keys.filter((key) => given.has(key)).length,
    sentences: told.length,
  };
}

function paragraphsOf(text: string): string[] {
  return text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '' && !/^#|^>/.test(paragraph));
}

/** Each sentence of such a text ends with what it cites. */
function sentencesOf(text: string): string[] {
  return paragraphsOf(text).flatMap((paragraph) => paragraph.split(/(?<=\[\d+\]\.)\s+/));
}

function plain(sentence: string): string {
  return sentence.replace(MARKS, '').replace(/\\(?=[^\w\s])/g, '');
}

function keyOf(sentence: string): string {
  return plain(sentence).replace(/\s+/g, ' ').trim();
}

function numbersOf(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map(([, n]) => Number(n));
}
