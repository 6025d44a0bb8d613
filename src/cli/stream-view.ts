import { ANSWER_SECTION } from '../contracts/draft';
import type { RunEvent, RunEventBody } from '../contracts/event';
import { Verdict } from '../contracts/finding';
import { runTexts } from '../contracts/wording';
import { replaceMarks } from '../lib/citation-marks';
import { append } from '../lib/iterables';
import { answerTexts } from '../report/answer-texts';
import { type Attributable, countWords, shortNames } from '../report/attribution';
import { type SectionText, type SectionTexts, sectionTextsAfter } from '../report/citations';
import { reportTexts, SUMMARY_ID } from '../report/report-texts';
import { isServerUnreachable } from './failures';
import { plainBlock, plainText, safeExcerpt, safeLine, wrapLine } from './terminal';

// Texts of sections and answers on a terminal while they are written.

/** Sections are written at the same time and shown one after the other, in whole paragraphs. */
export interface SectionView {
  lines(event: RunEvent): string[];
  /** Text of sections without an end, such as half a paragraph. */
  rest(): string[];
  interrupt(): void;
}

export interface SectionViewOptions {
  /** `2. Its title`, as in the outline. */
  titleOf: (section: string) => string;
  nameOf: (sourceId: string) => string;
  emphasise: (text: string) => string;
  width: number;
}

const INDENT = '     ';
const MAX_WIDTH = 110;

export function createSectionView({ titleOf, nameOf, emphasise, width }: SectionViewOptions): SectionView {
  const textWidth = (Number.isFinite(width) ? Math.min(width, MAX_WIDTH) : width) - INDENT.length;
  let texts: SectionTexts = new Map();
  const shown = new Map<string, { generation: number; upTo: number }>();
  let current: string | null = null;
  /** The section whose text is shown as it comes. The others wait until it is written. */
  let leading: string | null = null;
  const finished = new Map<string, number>();

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
      current === section ? [] : ['', `  ${emphasise(titleOf(section))}${isFirst ? '' : runTexts.continued}`];
    const goesOn = current === section;
    current = section;
    return [
      ...title,
      ...blocks.flatMap(({ isHeading, lines }, index) => [
        ...(index > 0 || goesOn ? [''] : []),
        ...lines
          .flatMap((line) => wrapLine(line, textWidth))
          .map((line) => `${INDENT}${isHeading ? emphasise(line) : line}`),
      ]),
    ];
  }

  /** `whole` treats the last paragraph as complete. */
  function advance(section: string, told: SectionText, whole: boolean): string[] {
    const { upTo } = shownOf(section, told);
    const text = fresh(section, told);
    const end = whole ? text.length : endOfParagraphs(text);
    if (end === 0) return [];
    shown.set(section, { generation: told.generation, upTo: upTo + end });
    return paragraphLines(section, text.slice(0, end).split(/\n{2,}/), upTo === 0);
  }

  function fresh(section: string, told: SectionText): string {
    return told.text.slice(shownOf(section, told).upTo - told.start);
  }

  function nextToShow(): string | null {
    const found = [...texts].find(
      ([section, told]) =>
        finished.get(section) !== told.generation &&
        (told.isWritten || endOfParagraphs(fresh(section, told)) > 0),
    );
    return found?.[0] ?? null;
  }

  function doneLines(section: string, told: SectionText): string[] {
    if (told.text === '') return [];
    const done = runTexts.words(countWords(replaceMarks(told.text, () => '')));
    return ['', current === section ? `${INDENT}(${done})` : `  ${titleOf(section)}: ${done}`];
  }

  function flow(): string[] {
    const lines: string[] = [];
    for (;;) {
      leading ??= nextToShow();
      const told = leading === null ? undefined : texts.get(leading);
      if (leading === null || told === undefined) return lines;
      append(lines, advance(leading, told, told.isWritten));
      if (!told.isWritten) return lines;
      append(lines, doneLines(leading, told));
      finished.set(leading, told.generation);
      current = null;
      leading = null;
    }
  }

  function restartLines(section: string, was: SectionText | undefined): string[] {
    if (was === undefined || shownOf(section, was).upTo <= was.start) return [];
    current = null;
    return ['', `  ${runTexts.anew(emphasise(titleOf(section)))}`];
  }

  return {
    lines(event) {
      const before = texts;
      texts = sectionTextsAfter(texts, event);
      if (texts === before || !('section' in event.payload)) return [];
      const { section } = event.payload;
      const restarted = event.type === 'section-restarted' ? restartLines(section, before.get(section)) : [];
      return [...restarted, ...flow()];
    },
    rest() {
      const unfinished = [...texts].filter(([section, told]) => finished.get(section) !== told.generation);
      const isLeading = ([section]: [string, SectionText]): number => (section === leading ? 0 : 1);
      const lines = unfinished
        .sort((a, b) => isLeading(a) - isLeading(b))
        .flatMap(([section, told]) => advance(section, told, true));
      current = null;
      return lines;
    },
    interrupt() {
      current = null;
    },
  };
}

function endOfParagraphs(text: string): number {
  let end = afterBlankLine(text);
  while (end > 0) {
    const last = afterBlankLine(text.slice(0, end).trimEnd());
    if (!text.startsWith('#', last)) break;
    end = last;
  }
  return end;
}

function afterBlankLine(text: string): number {
  const gap = text.lastIndexOf('\n\n');
  return gap < 0 ? 0 : gap + 2;
}

/** Renders an answer for a terminal while it is written. Takes all events in order. */
export interface LiveAnswer {
  add(event: RunEvent): string;
  shown(): string;
}

const REWRITTEN_NOTICE = '\n\n(It is written once more.)\n\n';

export function createLiveAnswer(): LiveAnswer {
  let texts: SectionTexts = new Map();
  let shown = '';
  return {
    add(event) {
      const before = texts;
      texts = sectionTextsAfter(texts, event);
      if (texts === before) return '';
      const whole = [...texts.values()].map(({ text, isWritten }) => readable(text, isWritten)).join('\n\n');
      if (whole.startsWith(shown)) {
        const fresh = whole.slice(shown.length);
        shown = whole;
        return fresh;
      }
      const parted = shown.trim() === '' ? '' : REWRITTEN_NOTICE;
      shown = whole;
      return parted + whole;
    },
    shown: () => shown,
  };
}

/** Text that the next characters can change: a mark, an escape, code or emphasis. */
const UNFINISHED = /(?:\[[^\]\n]*|[\\*]+|`[^\n]*)$/;

/** Numbers marks by the first appearance of their passages. Leaves out an unfinished end. */
function readable(markdown: string, isWhole: boolean): string {
  const numbers = createPassageNumbers();
  const text = isWhole ? markdown : markdown.replace(UNFINISHED, '');
  return plainText(replaceMarks(text, (ids) => `[${ids.map((id) => numbers.nameOf(id)).join(', ')}]`));
}

export interface SourceNames {
  /** The id before the names are loaded. */
  nameOf(sourceId: string): string;
  /** Needs gathered sources. Without them it changes nothing. */
  load(): Promise<void>;
}

export function createSourceNames(
  gathered: () => Promise<readonly (Attributable & { id: string })[] | null>,
): SourceNames {
  let names: ReadonlyMap<string, string> | null = null;
  return {
    nameOf: (sourceId) => names?.get(sourceId) ?? sourceId,
    async load() {
      if (names !== null) return;
      try {
        const sources = await gathered();
        if (sources !== null) names = shortNames(sources);
      } catch (error) {
        // Ids suffice without the server. Watching continues when it is back.
        if (!isServerUnreachable(error)) throw error;
      }
    },
  };
}

/** Names citations by numbers, in the order of the text. */
export function createPassageNumbers(): SourceNames {
  const numbers = new Map<string, number>();
  return {
    nameOf(id) {
      const number = numbers.get(id) ?? numbers.size + 1;
      numbers.set(id, number);
      return String(number);
    },
    load: () => Promise.resolve(),
  };
}

/** `2. Its title`, as in the outline. An answer has one text and no outline. */
export function numberedTitle(outline: readonly { id: string; title: string }[], section: string): string {
  const index = outline.findIndex(({ id }) => id === section);
  const title = outline[index]?.title;
  if (title !== undefined) return `${index + 1}. ${safeExcerpt(title, 100)}`;
  if (section === ANSWER_SECTION) return answerTexts.title;
  return section === SUMMARY_ID ? reportTexts.headings.summary : safeLine(section);
}

type AuditPayload = Extract<RunEventBody, { type: 'audit' }>['payload'];

/** `Audited “2. Bone density”: 12 claims, 10 supported, 2 unsupported; another attempt may mend it.` */
export function auditLine(
  { section, audit, needsRetry, setAside }: AuditPayload,
  titleOf: (section: string) => string,
): string {
  const verdicts = Verdict.options
    .map((verdict) => ({ verdict, amount: audit[verdict] }))
    .filter(({ amount }) => amount > 0);
  return runTexts.audited(titleOf(section), { claims: audit.claims, verdicts, setAside, needsRetry });
}
