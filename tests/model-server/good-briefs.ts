import { conflictsIn, lineOf, materialIn } from './prompt-material';

interface PromptStatement {
  id: string;
  /** Its marks, as they stand: `[S1][S4]`. */
  marks: string;
  claim: string;
  /** The title of its subtopic, where statements stand under one. */
  subtopic: string;
}

/** What points at the subtopics has so much of their words, and a few sentences at least. */
const FRAME = { share: 0.03, words: 120 };
const SENTENCES_A_PARAGRAPH = 3;

/** Each subtopic tells its own statements, the other parts point at the first of each. */
export function plannedBrief(prompt: string): unknown {
  const material = materialIn(prompt);
  const statements = statementsIn(material.get('findings') ?? '');
  const parts = [...(material.get('parts') ?? '').matchAll(/^(P\d+): (.*)$/gm)];
  const all = wordsOf(statements);
  return {
    title: `What is known: ${lineOf(prompt, 'The brief is to answer:')}`,
    parts: parts.map(([, part = '', line = '']) => {
      const own = statements.filter(({ subtopic }) => subtopic !== '' && line.startsWith(`${subtopic}. `));
      const told = own.length > 0 ? own : firstOfEach(statements);
      return {
        part,
        words: Math.round(Math.max(FRAME.words, own.length > 0 ? wordsOf(own) : FRAME.share * all)),
        guidance: '',
        findings: told.map(({ id }) => id),
      };
    }),
  };
}

/** A part from its statements, in the words of the summaries, for as many words as are wanted; disagreements after them. */
export function writtenPart(prompt: string): string {
  const material = materialIn(prompt);
  const wanted = Number(
    /about (\d+) words/.exec(prompt.slice(prompt.lastIndexOf('\n=== ')))?.[1] ?? Infinity,
  );
  const asked = /(\d)\D+(\d) paragraphs/.exec(lineOf(prompt, 'What is wanted:'));
  const all = statementsIn(material.get('findings') ?? '').map(sentenceOf);
  // The opening and the end have half of the statements each to choose from, so that they do not say the same.
  const told = spread(asked === null ? all : all.filter((_, at) => at % 2 === Number(asked[1]) % 2), wanted);
  if (asked !== null) return paragraphs(told, Math.ceil(told.length / Number(asked[1])));
  const disagree = conflictsIn(material.get('conflicts') ?? '').flatMap(([one, other]) =>
    one === undefined || other === undefined
      ? []
      : [`“${bare(one.quote)}” [${one.source}], while “${bare(other.quote)}” [${other.source}].`],
  );
  return paragraphs([...told, ...disagree]);
}

/** All parts under their headings, each of its own statements; what is no subtopic points at the first of each. */
export function writtenBrief(prompt: string): string {
  const statements = statementsIn(materialIn(prompt).get('findings') ?? '');
  const headings = [...prompt.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
  const parts = headings.map((title) => {
    const own = statements.filter(({ subtopic }) => subtopic === title);
    return `## ${title}\n\n${paragraphs((own.length > 0 ? own : firstOfEach(statements)).map(sentenceOf))}`;
  });
  return parts.join('\n\n');
}

/** Of sentences as many as have so many words together, from their beginning to their end, in their order. */
function spread(sentences: readonly string[], words: number): string[] {
  const lengths = sentences.map((sentence) => sentence.split(/\s+/).length);
  const share = words / lengths.reduce((sum, length) => sum + length, 0);
  let due = 0;
  return sentences.filter((_, at) => {
    const length = lengths[at] ?? 0;
    due += Math.min(1, share) * length;
    const isTold = due >= length / 2;
    if (isTold) due -= length;
    return isTold;
  });
}

function statementsIn(text: string): PromptStatement[] {
  let subtopic = '';
  return text.split('\n').flatMap((line) => {
    subtopic = /^\[(.+)\]$/.exec(line)?.[1] ?? subtopic;
    const [, id, marks = '', claim = ''] = /^(F\d+) ((?:\[S\d+\])+): (.*)$/.exec(line) ?? [];
    return id === undefined ? [] : [{ id, marks, claim, subtopic }];
  });
}

function wordsOf(statements: readonly PromptStatement[]): number {
  return statements.reduce((sum, { claim }) => sum + claim.split(/\s+/).length, 0);
}

function firstOfEach(statements: readonly PromptStatement[]): PromptStatement[] {
  const titles = [...new Set(statements.map(({ subtopic }) => subtopic))];
  return titles.flatMap((title) => statements.filter(({ subtopic }) => subtopic === title).slice(0, 1));
}

function sentenceOf({ claim, marks }: PromptStatement): string {
  return `${bare(claim)} ${marks}.`;
}

function bare(claim: string): string {
  return claim.replace(/[.!]$/, '');
}

function paragraphs(sentences: readonly string[], each = SENTENCES_A_PARAGRAPH): string {
  const parts: string[] = [];
  for (let at = 0; at < sentences.length; at += each) parts.push(sentences.slice(at, at + each).join(' '));
  return parts.join('\n\n');
}
