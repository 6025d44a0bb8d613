import { replaceMarks } from '../core/citation-marks';
import type { RunEvent } from '../core/contracts/event';
import { sectionTextsAfter, type SectionText, type SectionTexts } from '../core/section-texts';
import { countWords } from '../core/writing/shorten';
import { plainBlock, wrapped } from './plain-markdown';
import { count } from './report-excerpt';

/** The sections of a report as they are written, several at the same time: whole paragraphs, each under its title. */
export interface SectionView {
  /** The lines that an event adds; none for one that is not of a section's text. */
  lines(event: RunEvent): string[];
  /** What is left where a section was not said to be written: half a paragraph perhaps. */
  rest(): string[];
  /** Something else is shown between: the next paragraph needs its title again. */
  interrupt(): void;
}

export interface SectionViewOptions {
  /** `2. Its title`, as it stands in the outline. */
  titleOf: (section: string) => string;
  nameOf: (sourceId: string) => string;
  emphasise: (text: string) => string;
  /** Columns; infinite where lines are not to be broken. */
  width: number;
}

const INDENT = '     ';
/** Longer lines are hard to read on any terminal. */
const MAX_WIDTH = 110;

export function createSectionView({ titleOf, nameOf, emphasise, width }: SectionViewOptions): SectionView {
  const textWidth = (Number.isFinite(width) ? Math.min(width, MAX_WIDTH) : width) - INDENT.length;
  let texts: SectionTexts = new Map();
  /** How far the text of each section's generation has been shown. */
  const shown = new Map<string, { generation: number; upTo: number }>();
  let current: string | null = null;

  const shownOf = (section: string, { generation, start }: SectionText): { upTo: number } => {
    const known = shown.get(section);
    return known?.generation === generation ? known : { upTo: start };
  };

  function paragraphLines(section: string, paragraphs: readonly string[], isFirst: boolean): string[] {
    const blocks = paragraphs
      .map((paragraph) => plainBlock(paragraph, nameOf))
      .filter(({ lines }) => lines.length > 0);
    if (blocks.length === 0) return [];
    const title =
      current === section ? [] : ['', `  ${emphasise(titleOf(section))}${isFirst ? '' : ', continued'}`];
    const goesOn = current === section;
    current = section;
    return [
      ...title,
      ...blocks.flatMap(({ isHeading, lines }, index) => [
        ...(index > 0 || goesOn ? [''] : []),
        ...lines
          .flatMap((line) => wrapped(line, textWidth))
          .map((line) => `${INDENT}${isHeading ? emphasise(line) : line}`),
      ]),
    ];
  }

  /** Shows what has come since; `whole` takes the last paragraph for whole. */
  function advance(section: string, told: SectionText, whole: boolean): string[] {
    const { upTo } = shownOf(section, told);
    const fresh = told.text.slice(upTo - told.start);
    const end = whole ? fresh.length : endOfWhole(fresh);
    if (end === 0) return [];
    shown.set(section, { generation: told.generation, upTo: upTo + end });
    return paragraphLines(section, fresh.slice(0, end).split(/\n{2,}/), upTo === 0);
  }

  return {
    lines(event) {
      const before = texts;
      texts = sectionTextsAfter(texts, event);
      if (texts === before || !('section' in event.payload)) return [];
      const { section } = event.payload;
      const told = texts.get(section);
      if (told === undefined) return [];
      if (event.type === 'section-restarted') {
        const was = before.get(section);
        if (was === undefined || was.text === '') return [];
        current = null;
        const wasShown = shownOf(section, was).upTo > was.start;
        return [
          '',
          `  ${emphasise(titleOf(section))} is written anew${wasShown ? '; what was shown of it no longer holds' : ''}.`,
        ];
      }
      const lines = advance(section, told, told.isWritten);
      if (!told.isWritten || told.text === '') return lines;
      const done = `written, ${count(countWords(replaceMarks(told.text, () => '')), 'word')}`;
      const line = current === section ? `${INDENT}(${done})` : `  ${titleOf(section)}: ${done}`;
      current = null;
      return [...lines, '', line];
    },
    rest() {
      const lines = [...texts].flatMap(([section, told]) =>
        told.isWritten ? [] : advance(section, told, true),
      );
      current = null;
      return lines;
    },
    interrupt() {
      current = null;
    },
  };
}

/** Where the last whole paragraph ends; a heading is shown with what stands under it. */
function endOfWhole(text: string): number {
  let end = afterGap(text);
  while (end > 0) {
    const last = afterGap(text.slice(0, end).trimEnd());
    if (!text.startsWith('#', last)) break;
    end = last;
  }
  return end;
}

/** Behind the last blank line, or 0. */
function afterGap(text: string): number {
  const gap = text.lastIndexOf('\n\n');
  return gap < 0 ? 0 : gap + 2;
}
