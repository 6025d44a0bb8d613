import { sentenceKey } from '../../../core/near-duplicate-sentences';
import { splitSentences } from '../../../language/sentences';
import { escapeMarkdown, escapeWithinLine } from '../../../core/untrusted-text';
import type { AnswerProblem } from '../answers/reading';
import { readCitations, renderCitationTokens, withoutCitations } from '../markdown/citation-tokens';
import { plainBlocks, type DroppedPart, type PlainBlock } from '../markdown/plain-blocks';
import { checkSentence, unknownCitation, type CheckedSentence } from './check-sentence';
import type { SectionMaterial } from './section-material';

/** A claim of the report: its text stands word for word in the Markdown. */
export interface WrittenClaim {
  text: string;
  findingIds: string[];
}

/** A paragraph, a list or a heading that may stand as it is. */
export interface SectionBlock {
  kind: 'heading' | 'paragraph' | 'list';
  markdown: string;
  claims: WrittenClaim[];
  /** The keys of its sentences. */
  sentences: string[];
}

/** What a block of a model's Markdown comes to. */
export interface BlockReading {
  blocks: SectionBlock[];
  problems: AnswerProblem[];
  dropped: DroppedPart[];
}

/** Tables and code may hold what is to be said; the other parts that are dropped say nothing. */
const HOLDS_CONTENT: readonly DroppedPart[] = ['table', 'code'];
const LEAST_SHARED_HEADING = 0.5;

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
  const problems: AnswerProblem[] = dropped
    .filter((part) => HOLDS_CONTENT.includes(part))
    .map((part) => ({
      path: context.path,
      message: `there is a ${part === 'code' ? 'code block' : part}; write sentences`,
      code: 'form-not-allowed',
      warning: 'A table or a code block was dropped from a section.',
    }));
  const written: SectionBlock[] = [];
  for (const plain of blocks) {
    if (plain.kind === 'heading') {
      const heading = headingOf(plain, material, context.sectionTitle);
      if (heading !== null) written.push({ kind: 'heading', markdown: heading, claims: [], sentences: [] });
      continue;
    }
    const { markdown, claims, sentences } = readSentences(plain, material, context, problems);
    if (markdown === '') continue;
    const last = written.at(-1);
    if (plain.kind === 'paragraph') written.push({ kind: 'paragraph', markdown, claims, sentences });
    else if (last?.kind === 'list') {
      last.markdown += `\n- ${markdown}`;
      last.claims.push(...claims);
      last.sentences.push(...sentences);
    } else written.push({ kind: 'list', markdown: `- ${markdown}`, claims, sentences });
  }
  return { blocks: written, problems, dropped: [...new Set(dropped)] };
}

function headingOf(plain: PlainBlock, material: SectionMaterial, sectionTitle: string): string | null {
  const title = withoutCitations(readCitations(plain.text).text).replace(/[.:]$/, '');
  if (sentenceKey(title) === sentenceKey(sectionTitle) || !/\p{L}/u.test(title)) return null;
  if (material.grounding.strangers(title).length > 0) return null;
  if (material.grounding.share(title) < LEAST_SHARED_HEADING) return null;
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
  for (const mark of foreign) problems.push(unknownCitation(path, mark));
  const kept: CheckedSentence[] = [];
  const keys: string[] = [];
  for (const { text: sentence } of splitSentences(text)) {
    const checked = checkSentence(sentence, citations, material, path);
    problems.push(...checked.problems);
    if (checked.sentence === null) continue;
    const key = sentenceKey(withoutCitations(checked.sentence.text));
    if (said.has(key)) continue;
    said.add(key);
    keys.push(key);
    kept.push(checked.sentence);
  }
  // Sentences that only connect say nothing where there is nothing left to connect.
  if (!kept.some((sentence) => sentence.findingIds.length > 0))
    return { markdown: '', claims: [], sentences: [] };
  const claims: WrittenClaim[] = [];
  let confidence = '';
  const sentences = kept.map((sentence, index) => {
    const sources = new Set(sentence.sourceIds);
    const rendered = renderCitationTokens(harmless(sentence.text, index), citations, (cited) =>
      cited.flatMap((shortId) => material.sourcesOf(shortId)).filter((id) => sources.has(id)),
    );
    if (sentence.findingIds.length === 0) return rendered;
    const remark = material.confidenceOf(sentence.findingIds);
    const claim = remark === confidence ? rendered : withConfidence(rendered, remark);
    confidence = remark;
    claims.push({ text: claim, findingIds: sentence.findingIds });
    return claim;
  });
  return { markdown: sentences.join(' '), claims, sentences: keys };
}

/** Before the full stop: `… by 12 % [@a] (High confidence).` */
function withConfidence(sentence: string, remark: string): string {
  const stop = /[.!?]?$/.exec(sentence)?.[0] ?? '';
  return `${sentence.slice(0, sentence.length - stop.length)} (${remark})${stop || '.'}`;
}

/** Text that no Markdown comes of. What is active at a line's start alone is left as it is within a line. */
function harmless(text: string, index: number): string {
  return index === 0 ? escapeMarkdown(text) : escapeWithinLine(text);
}
