import type { SectionDraft, WrittenSentence } from '../../../contracts/report/draft';
import type { WantedPart } from '../../../steps/plan-brief/contract';
import type { SectionBlock } from '../section/section-text';
import { createSectionWriter, toldIn, type SectionWriter } from '../section/section-writer';
import type { TextWriter } from '../section/writing';
import { type HomeOf, subtopicOf } from './part-of-text';

/** A brief as it grows, in all of its parts. */
export interface BriefWriter extends TextWriter {
  /** The part that was written last; null where none was. */
  last(): string | null;
  /** The parts that have text. */
  begun(): ReadonlySet<string>;
  /** The parts that have text, in their order; what stood under no heading goes where it belongs first. */
  drafts(): { id: string; draft: SectionDraft }[];
}

/**
 * `onText` gets the parts as they come, each under its title. What comes before any heading waits: where headings follow, it
 * opens the brief, and where none does, its sentences go to the subtopics that they tell of.
 */
export function createBriefWriter(
  parts: readonly WantedPart[],
  homeOf: HomeOf,
  onText: (text: string) => void,
): BriefWriter {
  const writers = new Map<string, SectionWriter>();
  let loose: SectionBlock[] = [];
  let streamed: string | null = null;
  let last: string | null = null;

  const writerOf = (id: string): SectionWriter => {
    const existing = writers.get(id);
    if (existing !== undefined) return existing;
    const writer = createSectionWriter((text) => {
      if (streamed === id) onText(text);
      else onText(`${streamed === null ? '' : '\n\n'}${headingOf(id)}\n\n${text.trimStart()}`);
      streamed = id;
    });
    writers.set(id, writer);
    return writer;
  };
  const headingOf = (id: string): string =>
    `${id.startsWith('subtopic-') ? '###' : '##'} ${parts.find((part) => part.id === id)?.title ?? id}`;
  const addTo = (id: string, blocks: readonly SectionBlock[]): void => {
    writerOf(id).add(blocks);
    last = id;
  };
  const all = (): SectionWriter[] => [...writers.values()];

  return {
    add(blocks) {
      for (const block of blocks) {
        if (block.partId === undefined) {
          loose.push(block);
          continue;
        }
        const opening = parts[0]?.id;
        if (loose.length > 0 && opening !== undefined) {
          const waiting = loose;
          loose = [];
          addTo(opening, waiting);
        }
        addTo(block.partId, [block]);
      }
    },
    covered: () => new Set([...all().flatMap((writer) => [...writer.covered()]), ...loose.flatMap(toldIn)]),
    said: () =>
      new Set([...all().flatMap((writer) => [...writer.said()]), ...loose.flatMap(({ keys }) => keys)]),
    markdown: () =>
      [...all().map((writer) => writer.markdown()), ...loose.map(({ markdown }) => markdown)].join('\n\n'),
    last: () => last,
    begun: () => new Set([...writers].filter(([, writer]) => writer.markdown() !== '').map(([id]) => id)),
    drafts() {
      const waiting = loose;
      loose = [];
      for (const { partId, block } of waiting.flatMap((one) => bySubtopic(one, homeOf)))
        addTo(partId, [block]);
      return parts.flatMap(({ id }) => {
        const draft = writers.get(id)?.draft();
        return draft === undefined || draft.markdown === '' ? [] : [{ id, draft }];
      });
    },
  };
}

/** A block's sentences in the subtopics that they tell of, in their order. What only connects stays with what follows it. */
function bySubtopic(block: SectionBlock, homeOf: HomeOf): { partId: string; block: SectionBlock }[] {
  const groups: { partId: string; sentences: WrittenSentence[] }[] = [];
  let connecting: WrittenSentence[] = [];
  for (const sentence of block.sentences) {
    const partId = subtopicOf([sentence], homeOf);
    if (partId === undefined) {
      connecting.push(sentence);
      continue;
    }
    const open = groups.at(-1);
    const own = [...connecting, sentence];
    connecting = [];
    if (open !== undefined && (open.partId === partId || !opensLine(own[0]))) open.sentences.push(...own);
    else groups.push({ partId, sentences: own });
  }
  return groups.map(({ partId, sentences }, at) => ({
    partId,
    block: {
      kind: 'paragraph',
      markdown: sentences.map(({ text }) => text).join(' '),
      sentences,
      keys: at === 0 ? block.keys : [],
      uncited: at === 0 ? block.uncited : [],
    },
  }));
}

/** Within a line signs are harmless that are not so at its beginning. */
function opensLine(sentence: WrittenSentence | undefined): boolean {
  return /^[\p{L}“‘(]/u.test(sentence?.text ?? '');
}
