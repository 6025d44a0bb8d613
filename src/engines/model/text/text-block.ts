import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import { escapeMarkdown, escapeWithinLine } from '../../../core/text/untrusted-text';
import { splitSentences } from '../../../language/sentences';
import { terms } from '../../../language/words';
import type { AnswerProblem } from '../answers/reading';
import { isHeld } from '../grounding/grounding';
import { renderCitationTokens, withoutCitations, citationsIn } from '../markdown/citation-tokens';
import { droppedContent } from '../markdown/dropped-content';
import { type DroppedPart, type PlainBlock, plainBlocks } from '../markdown/plain-blocks';
import type { CitedMaterial } from './cited-material';
import { isEnglish } from '../../../language/is-english';
import { asksWithin } from '../grounding/asks-within';
import { assertsNothing } from '../grounding/asserts-nothing';
import { withoutAlteredQuotes } from '../grounding/quoted-words';

/** Of the content words of a sentence that cites, so many stand in what sources say: it is on what they are on. */
const LEAST_ON_MATERIAL = 0.3;

/** A model's own remarks on confidence; the findings have theirs. */
const CONFIDENCE =
  /\s*\((?:[^()]*\b)?(?:very )?(?:high|medium|moderate|low)[ -]confidence[^()]*\)|\s*\(confidence:?[^()]*\)/gi;

/** It stands word for word, marks included, in the Markdown of its block. */
export interface WrittenSentence {
  text: string;
  /** The same as a reader says it, without marks and Markdown. */
  plain: string;
  /** False for a sentence that cites nothing and only connects others. */
  isClaim: boolean;
}

export interface TextBlock {
  kind: 'heading' | 'paragraph' | 'list';
  markdown: string;
  /** In order of appearance. */
  sentences: WrittenSentence[];
  /** What states something and cites nothing, and what says that something is missing; neither is in the Markdown. */
  uncited: string[];
  missing: string[];
  /** Of what it says, which is not to be said again. */
  keys: string[];
  /** The part that it belongs to, of a text that comes in several at once. */
  partId?: string;
}

export interface BlockReading {
  blocks: TextBlock[];
  problems: AnswerProblem[];
  dropped: DroppedPart[];
}

type ReadText = Omit<TextBlock, 'kind'>;

const MISSING_LABEL = /^missing\s*:\s*/i;
/** `Missing: nothing.` is no sentence on anything. */
const LEAST_MISSING_WORDS = 2;

/**
 * Reads a block of a text: its sentences, their citations as marks, everything else harmless text. `said` has the sentences that
 * stand already, and takes those that are added; `noun` is what the text is called, `title` what stands over it.
 */
export function readTextBlock(
  block: string,
  material: CitedMaterial,
  { noun, title, ...context }: { noun: string; title?: string; path: string; said: Set<string> },
): BlockReading {
  const { blocks, dropped } = plainBlocks(block);
  const problems = droppedContent(dropped, context.path, noun);
  const read: TextBlock[] = [];
  for (const plain of blocks) {
    if (plain.kind === 'heading') {
      const heading = headingOf(plain, material, title);
      if (heading !== null) read.push({ kind: 'heading', ...nothing(), markdown: heading });
    } else addText(read, plain, readSentences(plain, material, context, problems));
  }
  return { blocks: read, problems, dropped: [...new Set(dropped)] };
}

const nothing = (): ReadText => ({ markdown: '', sentences: [], uncited: [], missing: [], keys: [] });

/** Adds what was read of a paragraph or an item; items one after the other are a list. */
export function addText(read: TextBlock[], { kind }: PlainBlock, text: ReadText): void {
  const last = read.at(-1);
  if (text.markdown === '' && text.uncited.length + text.missing.length === 0) return;
  if (kind === 'paragraph' || text.markdown === '') read.push({ kind: 'paragraph', ...text });
  else if (last?.kind === 'list') {
    last.markdown += `\n- ${text.markdown}`;
    last.sentences.push(...text.sentences);
    for (const part of ['uncited', 'missing', 'keys'] as const) last[part].push(...text[part]);
  } else read.push({ kind: 'list', ...text, markdown: `- ${text.markdown}` });
}

function headingOf({ text }: PlainBlock, material: CitedMaterial, title = ''): string | null {
  const own = withoutCitations(material.readCitations(text).text).replace(/[.:]$/, '');
  if (sentenceKey(own) === sentenceKey(title) || !/\p{L}/u.test(own)) return null;
  return isHeld(own, material.grounding) ? `### ${escapeMarkdown(own)}` : null;
}

/** The sentences of a plain text, in Markdown that is harmless; none in it where they only connect. */
export function readSentences(
  { text: whole, name = '' }: PlainBlock,
  material: CitedMaterial,
  { path, said }: { path: string; said: Set<string> },
  problems: AnswerProblem[],
): ReadText {
  const label = material.missing === undefined ? undefined : MISSING_LABEL.exec(whole)?.[0];
  const { text, citations, foreign } = material.readCitations(whole.slice(label?.length ?? 0));
  for (const mark of foreign) problems.push(unknownCitation(path, mark, material));
  const read = nothing();
  for (const { text: written } of splitSentences(text)) {
    const checked =
      label === undefined
        ? checkSentence(written, citations, material, { path, isFirst: read.keys.length === 0 })
        : labelledMissing(withoutCitations(written), material, path);
    problems.push(...checked.problems);
    const { sentence } = checked;
    if (sentence === null) continue;
    const key = sentenceKey(sentence.plain);
    if (said.has(key)) continue;
    said.add(key);
    read.keys.push(key);
    if (!('ids' in sentence)) {
      read[sentence.kind].push(sentence.plain);
      continue;
    }
    const { plain, ids } = sentence;
    // What is active at a line's start alone is left as it is within a line.
    const harmless =
      read.sentences.length === 0 ? escapeMarkdown(sentence.text) : escapeWithinLine(sentence.text);
    const rendered = renderCitationTokens(harmless, citations, (names) =>
      names.flatMap((name) => material.idsOf(name)).filter((id) => ids.includes(id)),
    );
    const isFirst = material.keepsForm === true && read.sentences.length === 0;
    const shown = isFirst ? withBoldName(rendered, escapeMarkdown(name)) : rendered;
    read.sentences.push({ text: shown, plain, isClaim: sentence.kind === 'claim' });
  }
  const markdown = read.sentences.map((one) => one.text).join(' ');
  if (read.sentences.some(({ isClaim }) => isClaim)) return { ...read, markdown };
  return { ...read, markdown: material.keepsForm === true ? markdown : '', sentences: [] };
}

function withBoldName(text: string, name: string): string {
  return name !== '' && text.startsWith(name) ? `**${name}**${text.slice(name.length)}` : text;
}

function labelledMissing(
  plain: string,
  material: CitedMaterial,
  path: string,
): ReturnType<typeof checkSentence> {
  if (terms(plain).length < LEAST_MISSING_WORDS) return { sentence: null, problems: [] };
  const [sentence, ...problems] = readMissing(plain, material, path);
  return { sentence, problems };
}

/**
 * What a sentence is: a claim with what it cites, one that only leads to others, one that states something and cites nothing, or
 * one that says what is missing.
 */
type ReadSentence =
  | {
      kind: 'claim' | 'connecting';
      /** With citation tokens. */
      text: string;
      plain: string;
      ids: string[];
    }
  | { kind: 'uncited' | 'missing'; plain: string };

/**
 * Reads a sentence of a model. Whether it is true is for the audit to say; what is taken out here is what states nothing of the
 * material: an order or words of one, what the prompt says, what is not there to be cited. A problem says why.
 */
function checkSentence(
  written: string,
  citations: readonly string[][],
  material: CitedMaterial,
  { path, isFirst }: { path: string; isFirst: boolean },
): { sentence: ReadSentence | null; problems: AnswerProblem[] } {
  const text = withoutAlteredQuotes(written.replace(CONFIDENCE, ''), (quote) => material.isQuoted(quote));
  const plain = withoutCitations(text);
  const names = [...new Set(citationsIn(text, citations))];
  const problems = names
    .filter((name) => material.idsOf(name).length === 0)
    .map((name) => unknownCitation(path, name, material));
  const ids = [...new Set(names.flatMap((name) => material.idsOf(name)))];
  const is = (
    sentence: ReadSentence | null,
    ...found: AnswerProblem[]
  ): ReturnType<typeof checkSentence> => ({
    sentence,
    problems: [...problems, ...found],
  });
  if (!/[\p{L}\p{N}]/u.test(plain)) return is(null);
  if (material.missing?.isTold(plain, { cites: ids.length > 0 }) === true)
    return is(...readMissing(plain, material, path));
  const { grounding } = material;
  const ordered = grounding.ordered(plain);
  if (ordered.length > 0)
    return is(null, refused(path, `${ordered.join(', ')} stands only in an order`, plain, material));
  if (assertsNothing(plain) || asksWithin(plain))
    return is(null, refused(path, 'it states nothing', plain, material));
  const { said } = material;
  if (isEnglish(plain) && said.isEnglish() && said.share(plain) < LEAST_ON_MATERIAL)
    return is(null, refused(path, `the ${material.cites}s are not on this`, plain, material));
  if (ids.length > 0) return is({ kind: 'claim', text, plain, ids });
  if (names.length === 0 && material.connects(plain)) return is({ kind: 'connecting', text, plain, ids });
  const isOnMaterial =
    grounding.share(plain) >= material.leastOfUncited && grounding.strangers(plain).length === 0;
  if (isFirst && isOnMaterial && names.length === 0 && material.opens?.() === true)
    return is({ kind: 'claim', text, plain, ids });
  return is(isOnMaterial ? { kind: 'uncited', plain } : null, uncited(path, plain, material));
}

function readMissing(
  plain: string,
  material: CitedMaterial,
  path: string,
): [sentence: ReadSentence | null, ...problems: AnswerProblem[]] {
  return !assertsNothing(plain) && material.missing?.mayBeTold(plain) === true
    ? [{ kind: 'missing', plain }]
    : [null, refused(path, `neither the question nor the ${material.cites}s speak of this`, plain, material)];
}

function refused(path: string, reason: string, plain: string, { cites }: CitedMaterial): AnswerProblem {
  return {
    path,
    message: `${reason}: "${plain}"`,
    code: 'sentence-beyond-material',
    warning: `A sentence that is not on what the ${cites}s say was not taken.`,
  };
}

function uncited(path: string, plain: string, { cites }: CitedMaterial): AnswerProblem {
  return {
    path,
    message: `it cites no ${cites}: "${plain}"`,
    code: 'sentence-uncited',
    warning: `A sentence that states something and cites no ${cites} was left out.`,
  };
}

function unknownCitation(path: string, written: string, material: CitedMaterial): AnswerProblem {
  const { cites } = material;
  const example = cites === 'source' ? 'as [S1]' : 'by their numbers, as [1]';
  const name = /^\d+$/.test(written) ? `[${written}]` : written;
  return {
    path,
    message: `${name} is not one of the ${cites}s; cite them ${example}`,
    code: `unknown-${cites}`,
    warning: material.unknownWarning?.(written) ?? `A citation of a ${cites} that was not given was dropped.`,
  };
}
