import type { AnswerSentence } from '../../../contracts/answer/answer-draft';
import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import { escapeMarkdown, escapeWithinLine } from '../../../core/text/untrusted-text';
import { splitSentences } from '../../../language/sentences';
import { terms } from '../../../language/words';
import type { AnswerProblem } from '../answers/reading';
import { isHeld } from '../grounding/grounding';
import { renderCitationTokens, withoutCitations } from '../markdown/citation-tokens';
import { droppedContent } from '../markdown/dropped-content';
import { type DroppedPart, type PlainBlock, plainBlocks } from '../markdown/plain-blocks';
import { checkReplySentence, missing, type ReplySentence, unknownPassage } from './check-reply-sentence';
import { readPassageCitations } from './passage-citations';
import type { ReplyMaterial } from './reply-material';

/** A paragraph, a list or a heading of a reply that may stand as it is. */
export interface ReplyBlock {
  kind: 'heading' | 'paragraph' | 'list';
  markdown: string;
  /** In order of appearance; each text stands word for word in the Markdown. */
  sentences: AnswerSentence[];
  /** What states something and cites nothing; it is not in the Markdown, like what is missing. */
  uncited: string[];
  missing: string[];
  /** What is not to be said again. */
  keys: string[];
}

const NOTHING = { markdown: '', sentences: [], uncited: [], missing: [], keys: [] };
/** The line in which the prompt asks for what is missing. */
const MISSING_LABEL = /^missing\s*:\s*/i;
/** `Missing: nothing.` is no sentence on anything. */
const LEAST_MISSING_WORDS = 2;

/**
 * Reads a block of a reply: what cites passages remains, its citations as marks, everything else harmless text. `said` has
 * the sentences that stand already, and takes those that are added.
 */
export function readReplyBlock(
  block: string,
  material: ReplyMaterial,
  context: { path: string; said: Set<string> },
): { blocks: ReplyBlock[]; problems: AnswerProblem[]; dropped: DroppedPart[] } {
  const { blocks, dropped } = plainBlocks(block);
  const problems = droppedContent(dropped, context.path, 'an answer');
  const read: ReplyBlock[] = [];
  for (const plain of blocks) {
    if (plain.kind === 'heading') {
      const heading = headingOf(plain, material);
      if (heading !== null) read.push({ kind: 'heading', ...NOTHING, markdown: heading });
      continue;
    }
    const text = readSentences(plain, material, context, problems);
    const last = read.at(-1);
    if (plain.kind === 'paragraph' || text.markdown === '') read.push({ kind: 'paragraph', ...text });
    else if (last?.kind === 'list') {
      last.markdown += `\n- ${text.markdown}`;
      for (const part of ['uncited', 'missing', 'keys'] as const) last[part].push(...text[part]);
      last.sentences.push(...text.sentences);
    } else read.push({ kind: 'list', ...text, markdown: `- ${text.markdown}` });
  }
  return { blocks: read, problems, dropped: [...new Set(dropped)] };
}

function headingOf({ text }: PlainBlock, material: ReplyMaterial): string | null {
  const title = withoutCitations(readPassageCitations(text).text).replace(/[.:]$/, '');
  return /\p{L}/u.test(title) && isHeld(title, material.grounding) ? `### ${escapeMarkdown(title)}` : null;
}

function readSentences(
  { text: whole }: PlainBlock,
  material: ReplyMaterial,
  { path, said }: { path: string; said: Set<string> },
  problems: AnswerProblem[],
): Omit<ReplyBlock, 'kind'> {
  const label = MISSING_LABEL.exec(whole)?.[0];
  const { text, citations, foreign } = readPassageCitations(whole.slice(label?.length ?? 0));
  for (const mark of foreign) problems.push(unknownPassage(path, mark));
  const written: AnswerSentence[] = [];
  const told = { uncited: [] as string[], missing: [] as string[], keys: [] as string[] };
  for (const { text: sentence } of splitSentences(text)) {
    const read =
      label === undefined
        ? checkReplySentence(sentence, citations, material, path)
        : labelledMissing(withoutCitations(sentence), material, path);
    problems.push(...read.problems);
    if (read.sentence === null) continue;
    const { kind, plain } = read.sentence;
    const key = sentenceKey(plain);
    if (said.has(key)) continue;
    said.add(key);
    told.keys.push(key);
    if (kind === 'uncited' || kind === 'missing') {
      told[kind].push(plain);
      continue;
    }
    const known = new Set(kind === 'claim' ? read.sentence.passageIds : []);
    const harmless = written.length === 0 ? escapeMarkdown(sentence) : escapeWithinLine(sentence);
    const rendered = renderCitationTokens(harmless, citations, (numbers) =>
      numbers.flatMap((number) => material.passageOf(number) ?? []).filter((id) => known.has(id)),
    );
    written.push({ text: rendered, plain, passageIds: [...known], isClaim: kind === 'claim' });
  }
  // Sentences that only connect say nothing where there is nothing to connect.
  if (!written.some(({ isClaim }) => isClaim)) return { markdown: '', sentences: [], ...told };
  return { markdown: written.map((one) => one.text).join(' '), sentences: written, ...told };
}

function labelledMissing(
  plain: string,
  material: ReplyMaterial,
  path: string,
): { sentence: ReplySentence; problems: AnswerProblem[] } {
  if (terms(plain).length < LEAST_MISSING_WORDS) return { sentence: null, problems: [] };
  const [sentence, ...problems] = missing(plain, material, path);
  return { sentence, problems };
}
