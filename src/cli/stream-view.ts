import { ANSWER_TEXT } from '../contracts/draft';
import type { RunEvent, RunEventBody } from '../contracts/event';
import { Verdict } from '../contracts/finding';
import { runTexts } from '../contracts/wording';
import { replaceMarks } from '../lib/citation-marks';
import { append } from '../lib/iterables';
import { answerTexts } from '../report/answer-texts';
import { type Attributable, countWords, shortNames } from '../report/attribution';
import { type SectionText, type SectionTexts, sectionTextsAfter } from '../report/citations';
import { reportTexts, SUMMARY } from '../report/report-texts';
import { isServerSilent } from './failures';
import { plainBlock, plainText, safeExcerpt, safeLine, wrapped } from './terminal';

/** The sections of a report, which are written at the same time, one after the other: whole paragraphs as they come. */
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
  /** The section whose text is shown as it comes; the others wait until it is written. */
  let leading: string | null = null;
  /** The generation in which a section was shown to its end. */
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
          .flatMap((line) => wrapped(line, textWidth))
          .map((line) => `${INDENT}${isHeading ? emphasise(line) : line}`),
      ]),
    ];
  }

  /** Shows what has come since; `whole` takes the last paragraph for whole. */
  function advance(section: string, told: SectionText, whole: boolean): string[] {
    const { upTo } = shownOf(section, told);
    const text = fresh(section, told);
    const end = whole ? text.length : endOfWhole(text);
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
        finished.get(section) !== told.generation && (told.isWritten || endOfWhole(fresh(section, told)) > 0),
    );
    return found?.[0] ?? null;
  }

  function doneLines(section: string, told: SectionText): string[] {
    if (told.text === '') return [];
    const done = runTexts.words(countWords(replaceMarks(told.text, () => '')));
    return ['', current === section ? `${INDENT}(${done})` : `  ${titleOf(section)}: ${done}`];
  }

  /** Shows the section whose turn it is, and those that waited for its end. */
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

/** An answer as it is written, for a terminal: what is given to it is all of its events, in order. */
export interface LiveAnswer {
  /** What is to be shown behind what was shown before. */
  add(event: RunEvent): string;
  /** What was shown since the answer was begun last. */
  shown(): string;
}

const ANEW = '\n\n(It is written once more.)\n\n';

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
      const parted = shown.trim() === '' ? '' : ANEW;
      shown = whole;
      return parted + whole;
    },
    shown: () => shown,
  };
}

/** What may become something else with what comes next: a mark, an escape, a piece of code or emphasis. */
const UNFINISHED = /(?:\[[^\]\n]*|[\\*]+|`[^\n]*)$/;

/** Marks as numbers in the order of their passages' first appearance; what is not all there waits for its end. */
function readable(markdown: string, isWhole: boolean): string {
  const numbers = createPassageNumbers();
  const text = isWhole ? markdown : markdown.replace(UNFINISHED, '');
  return plainText(replaceMarks(text, (ids) => `[${ids.map((id) => numbers.nameOf(id)).join(', ')}]`));
}

export interface SourceNames {
  /** Its id before the names are there. */
  nameOf(sourceId: string): string;
  /** Looks for the names where they are not there yet: gathering has to be done. */
  load(): Promise<void>;
}

/** `gathered` gives the sources of a run, or null before there are any. */
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
        // Without the server ids do; what is watched goes on when it is back.
        if (!isServerSilent(error)) throw error;
      }
    },
  };
}

/** What an answer cites, by the order in which its text does. */
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

/** `2. Its title`, as it stands in the outline; an answer has one text, and no outline. */
export function numberedTitle(outline: readonly { id: string; title: string }[], section: string): string {
  const index = outline.findIndex(({ id }) => id === section);
  const title = outline[index]?.title;
  if (title !== undefined) return `${index + 1}. ${safeExcerpt(title, 100)}`;
  // Texts of runs whose outline does not have them.
  if (section === ANSWER_TEXT) return answerTexts.title;
  return section === SUMMARY ? reportTexts.headings.summary : safeLine(section);
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
