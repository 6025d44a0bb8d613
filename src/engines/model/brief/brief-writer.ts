import type { SectionDraft, WrittenSentence } from '../../../contracts/report/draft';
import type { WantedPart } from '../../../steps/plan-brief/contract';
import type { TextBlock } from '../text/text-block';
import { createTextWriter, toldIn, type TextWriter } from '../text/text-writer';
import type { GrowingText } from '../text/writing';
import { type HomeOf, subtopicOf } from './part-of-text';

export interface BriefWriter extends GrowingText {
  /** What the part says, or for a subtopic all of them: what opens and closes a brief may point at what they say. */
  saidBeside(partId: string): ReadonlySet<string>;
  /** The part that was written last; null where none was. */
  last(): string | null;
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
  const writers = new Map<string, TextWriter>();
  let loose: TextBlock[] = [];
  let streamed: string | null = null;
  let last: string | null = null;

  const writerOf = (id: string): TextWriter => {
    const existing = writers.get(id);
    if (existing !== undefined) return existing;
    const writer = createTextWriter((text) => {
      if (streamed === id) onText(text);
      else onText(`${streamed === null ? '' : '\n\n'}${headingOf(id)}\n\n${text.trimStart()}`);
      streamed = id;
    });
    writers.set(id, writer);
    return writer;
  };
  const headingOf = (id: string): string =>
    `${id.startsWith('subtopic-') ? '###' : '##'} ${parts.find((part) => part.id === id)?.title ?? id}`;
  const addTo = (id: string, blocks: readonly TextBlock[]): void => {
    writerOf(id).add(blocks);
    last = id;
  };
  const all = (): TextWriter[] => [...writers.values()];

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
    saidBeside: (partId) =>
      new Set(
        [...writers]
          .filter(([id]) => scopeOf(id) === scopeOf(partId))
          .flatMap(([, writer]) => [...writer.said()]),
      ),
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

/** Parts in which nothing is said twice. */
export function scopeOf(partId: string): string {
  return partId.startsWith('subtopic-') ? 'subtopics' : partId;
}

/** A block's sentences in the subtopics that they tell of, in their order. What only connects stays with what follows it. */
function bySubtopic(block: TextBlock, homeOf: HomeOf): { partId: string; block: TextBlock }[] {
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
      missing: [],
    },
  }));
}

/** Within a line signs are harmless that are not so at its beginning. */
function opensLine(sentence: WrittenSentence | undefined): boolean {
  return /^[\p{L}“‘(]/u.test(sentence?.text ?? '');
}
