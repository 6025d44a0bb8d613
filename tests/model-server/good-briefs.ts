import { conflictsIn, materialIn } from './prompt-material';

/** A statement of a summary as prompts give it. */
interface PromptStatement {
  id: string;
  /** Its marks, as they stand: `[S1][S4]`. */
  marks: string;
  claim: string;
  /** The title of its subtopic, where statements stand under one. */
  subtopic: string;
}

const WORDS_OF_FRAME = 120;
const SENTENCES_A_PARAGRAPH = 3;

/** Each subtopic tells its own statements, the other parts point at the first of each. */
export function plannedBrief(prompt: string): unknown {
  const material = materialIn(prompt);
  const statements = statementsIn(material.get('findings') ?? '');
  const parts = [...(material.get('parts') ?? '').matchAll(/^(P\d+): (.*)$/gm)];
  return {
    title: `What is known of ${[...new Set(statements.map(({ subtopic }) => subtopic))].join(', ')}`,
    parts: parts.map(([, part = '', line = '']) => {
      const own = statements.filter(({ subtopic }) => subtopic !== '' && line.startsWith(`${subtopic}. `));
      const told = own.length > 0 ? own : firstOfEach(statements);
      const words = own.reduce((sum, { claim }) => sum + claim.split(/\s+/).length, 0);
      return {
        part,
        words: Math.max(WORDS_OF_FRAME, words),
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
  const sentences = statementsIn(material.get('findings') ?? '').map(sentenceOf);
  let words = 0;
  const told = sentences.filter((sentence) => {
    const isWanted = words < wanted;
    if (isWanted) words += sentence.split(/\s+/).length;
    return isWanted;
  });
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

function statementsIn(text: string): PromptStatement[] {
  let subtopic = '';
  return text.split('\n').flatMap((line) => {
    subtopic = /^\[(.+)\]$/.exec(line)?.[1] ?? subtopic;
    const [, id, marks = '', claim = ''] = /^(F\d+) ((?:\[S\d+\])+): (.*)$/.exec(line) ?? [];
    return id === undefined ? [] : [{ id, marks, claim, subtopic }];
  });
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

function paragraphs(sentences: readonly string[]): string {
  const parts: string[] = [];
  for (let at = 0; at < sentences.length; at += SENTENCES_A_PARAGRAPH)
    parts.push(sentences.slice(at, at + SENTENCES_A_PARAGRAPH).join(' '));
  return parts.join('\n\n');
}
