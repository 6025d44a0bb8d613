import type { WrittenSentence } from '../../../contracts/report/draft';
import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import { splitSentences } from '../../../language/sentences';
import { escapeMarkdown, escapeWithinLine } from '../../../core/text/untrusted-text';
import type { AnswerProblem } from '../answers/reading';
import { isHeld } from '../grounding/grounding';
import { readCitations, renderCitationTokens, withoutCitations } from '../markdown/citation-tokens';
import { droppedContent } from '../markdown/dropped-content';
import { plainBlocks, type DroppedPart, type PlainBlock } from '../markdown/plain-blocks';
import { checkSentence, unknownCitation } from './check-sentence';
import type { SectionMaterial } from './section-material';

/** A paragraph, a list or a heading that may stand as it is. */
export interface SectionBlock {
  kind: 'heading' | 'paragraph' | 'list';
  markdown: string;
  /** In order of appearance; each text stands word for word in the Markdown. */
  sentences: WrittenSentence[];
  /** What states something and cites nothing; it is not in the Markdown. */
  uncited: string[];
  /** What is not to be said again: the keys of its sentences, and of the findings told in their own words. */
  keys: string[];
  /** The part that it belongs to, of a text that comes in several at once. */
  partId?: string;
}

/** What a block of a model's Markdown comes to. */
export interface BlockReading {
  blocks: SectionBlock[];
  problems: AnswerProblem[];
  dropped: DroppedPart[];
}

const NOTHING = { sentences: [], keys: [], uncited: [] };

/**
 * Reads a block of a section: only sentences that the material bears remain, their citations as marks, everything else
 * harmless text. `said` has the sentences that stand already, and takes those that are added.
 */
export function readSectionBlock(
  block: string,
  material: SectionMaterial,
  context: { path: string; sectionTitle: string; said: Set<string> },
): BlockReading {
  const { blocks, dropped } = plainBlocks(block);
  const problems = droppedContent(dropped, context.path, 'a section');
  const written: SectionBlock[] = [];
  for (const plain of blocks) {
    if (plain.kind === 'heading') {
      const heading = headingOf(plain, material, context.sectionTitle);
      if (heading !== null) written.push({ kind: 'heading', markdown: heading, ...NOTHING });
      continue;
    }
    addText(written, plain, readSentences(plain, material, context, problems));
  }
  return { blocks: written, problems, dropped: [...new Set(dropped)] };
}

/** Adds what was read of a paragraph or an item; items one after the other are a list. */
export function addText(
  written: SectionBlock[],
  { kind }: PlainBlock,
  text: Omit<SectionBlock, 'kind'>,
): void {
  const last = written.at(-1);
  if (text.markdown === '' && text.uncited.length === 0) return;
  if (kind === 'paragraph' || text.markdown === '') written.push({ kind: 'paragraph', ...text });
  else if (last?.kind === 'list') {
    last.markdown += `\n- ${text.markdown}`;
    last.sentences.push(...text.sentences);
    last.keys.push(...text.keys);
    last.uncited.push(...text.uncited);
  } else written.push({ kind: 'list', ...text, markdown: `- ${text.markdown}` });
}

function headingOf(plain: PlainBlock, material: SectionMaterial, sectionTitle: string): string | null {
  const title = withoutCitations(readCitations(plain.text).text).replace(/[.:]$/, '');
  if (sentenceKey(title) === sentenceKey(sectionTitle) || !/\p{L}/u.test(title)) return null;
  if (!isHeld(title, material.grounding)) return null;
  return `### ${escapeMarkdown(title)}`;
}

/** The sentences of a plain text that may stand, in Markdown that is harmless; empty where they say nothing. */
export function readSentences(
  plain: PlainBlock,
  material: SectionMaterial,
  { path, said }: { path: string; said: Set<string> },
  problems: AnswerProblem[],
): Omit<SectionBlock, 'kind'> {
  const { text, citations, foreign } = readCitations(plain.text);
  for (const mark of foreign) problems.push(unknownCitation(path, mark, material));
  const written: WrittenSentence[] = [];
  const keys: string[] = [];
  const isNew = (key: string): boolean => {
    if (said.has(key)) return false;
    said.add(key);
    keys.push(key);
    return true;
  };
  const uncited: string[] = [];
  for (const { text: sentence } of splitSentences(text)) {
    const { outcome, problems: found } = checkSentence(sentence, citations, material, path);
    problems.push(...found);
    if (outcome === null) continue;
    if (outcome.standing === 'uncited') {
      uncited.push(outcome.plain);
      continue;
    }
    if (outcome.standing === 'own-words') {
      const { findingId, standing } = outcome;
      const words = isNew(findingId) ? material.ownWords(findingId) : null;
      if (words !== null)
        written.push({ text: words, plain: words, findingIds: [findingId], isClaim: true, standing });
      continue;
    }
    const { plain: reading, sourceIds, findingIds, standing } = outcome;
    if (!isNew(sentenceKey(reading))) continue;
    const sources = new Set(sourceIds);
    const rendered = renderCitationTokens(harmless(outcome.text, written.length), citations, (cited) =>
      cited.flatMap((shortId) => material.sourcesOf(shortId)).filter((id) => sources.has(id)),
    );
    const isClaim = sourceIds.length > 0;
    if (isClaim && standing !== 'undecided') findingIds.forEach(isNew);
    written.push({ text: rendered, plain: reading, findingIds, isClaim, standing });
  }
  // Sentences that only connect say nothing where there is nothing left to connect.
  const claims = written.filter(({ isClaim }) => isClaim);
  if (claims.length === 0) return { markdown: '', ...NOTHING, uncited };
  const told = [...new Set(claims.flatMap(({ findingIds }) => findingIds))];
  const sentences = written.map((one) => (one.isClaim ? one : { ...one, findingIds: told }));
  return { markdown: sentences.map((one) => one.text).join(' '), sentences, keys, uncited };
}

/** Text that no Markdown comes of. What is active at a line's start alone is left as it is within a line. */
function harmless(text: string, index: number): string {
  return index === 0 ? escapeMarkdown(text) : escapeWithinLine(text);
}
