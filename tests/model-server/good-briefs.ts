import { materialIn } from './prompt-material';

// Briefs by the scripted model: it tells the statements of its sources in their own words, under the headings that are asked for.

interface PromptStatement {
  claim: string;
  /** `[S1][S4]`. */
  marks: string;
  /** The title of its subtopic. */
  subtopic: string;
}

const SENTENCES_A_PARAGRAPH = 3;

/** How a part begins the sentences that point at what another tells: no sentence stands twice in the same words. */
const LEADS: Record<string, string> = {
  'Executive Summary': 'The summaries find that ',
  Conclusions: 'It was shown that ',
};

/** True for a prompt that asks for a brief, or for a part of one. */
export function asksBrief(prompt: string): boolean {
  return /^Write a (?:well-structured, cited brief|part of a brief)/m.test(prompt);
}

/** The headings that a prompt asks for, and about how many words under each. */
export function askedHeadings(prompt: string): { title: string; words: number }[] {
  const asked = prompt.slice(prompt.lastIndexOf('\n=== '));
  return [...asked.matchAll(/^## (.+)\n\(.*?About (\d+) words\.\)$/gm)].map(([, title = '', words]) => ({
    title,
    words: Number(words),
  }));
}

/** The parts that are asked for, each of its own statements; what is no subtopic points at the first of each. */
export function writtenBrief(prompt: string): string {
  const statements = statementsIn(prompt);
  const title = prompt.includes('a title of the brief') ? ['# What helps people who sleep badly'] : [];
  const parts = askedHeadings(prompt).map(({ title: heading, words }) => {
    const own = statements.filter(({ subtopic }) => subtopic === heading);
    const pointed = firstOfEach(statements).filter((_, at) => at % 2 === (heading === 'Conclusions' ? 1 : 0));
    const lead = LEADS[heading] ?? '';
    const told = own.length > 0 ? own : pointed;
    return `## ${heading}\n\n${paragraphs(
      withinWords(
        told.map((one) => sentenceOf(one, lead)),
        words,
      ),
    )}`;
  });
  return [...title, ...parts].join('\n\n');
}

function statementsIn(prompt: string): PromptStatement[] {
  let subtopic = '';
  return (materialIn(prompt).get('summaries') ?? '').split('\n').flatMap((line) => {
    subtopic = /^\[(.+)\]$/.exec(line)?.[1] ?? subtopic;
    const sentences = line.matchAll(/(\S.*?) ((?:\[S\d+\])+)(?= |$)/g);
    return [...sentences].map(([, claim = '', marks = '']) => ({ claim, marks, subtopic }));
  });
}

function firstOfEach(statements: readonly PromptStatement[]): PromptStatement[] {
  const titles = [...new Set(statements.map(({ subtopic }) => subtopic))];
  return titles.flatMap((title) => statements.filter(({ subtopic }) => subtopic === title).slice(0, 2));
}

function sentenceOf({ claim, marks }: PromptStatement, lead: string): string {
  const plain = claim.replace(/[.!]$/, '');
  const said = lead === '' ? plain : `${lead}${plain.charAt(0).toLowerCase()}${plain.slice(1)}`;
  return `${said} ${marks}.`;
}

function withinWords(sentences: readonly string[], wanted: number): string[] {
  let words = 0;
  return sentences.filter((sentence) => {
    const isWanted = words < wanted;
    if (isWanted) words += sentence.split(/\s+/).length;
    return isWanted;
  });
}

function paragraphs(sentences: readonly string[]): string {
  const parts: string[] = [];
  for (let at = 0; at < sentences.length; at += SENTENCES_A_PARAGRAPH)
    parts.push(sentences.slice(at, at + SENTENCES_A_PARAGRAPH).join(' '));
  return parts.join('\n\n');
}
