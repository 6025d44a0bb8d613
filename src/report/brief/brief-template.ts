import { count } from '../../contracts/wording';
import { append } from '../../lib/iterables';
import { nearestName } from '../../lib/strings';
import { stripUnsafe } from '../../lib/untrusted-text';

export const BUILT_IN_TEMPLATES = ['brief', 'decision-memo', 'literature-review'] as const;

const REQUIRED_SLOTS = ['title', 'summary', 'findings', 'conclusions', 'sources'] as const;
const OPTIONAL_SLOTS = ['question', 'disagreements', 'date'] as const;
const HEADED_SLOTS = ['summary', 'findings', 'sources'] as const;

export type TemplateSlot = (typeof REQUIRED_SLOTS)[number] | (typeof OPTIONAL_SLOTS)[number];

export interface TemplateHeading {
  /** As in the template and in the text: `## Key Findings`. */
  markdown: string;
  level: number;
  text: string;
}

export interface SlotLine {
  slot: TemplateSlot;
  /** Instruction for the writer; for a date, the label before it. Empty if there is none. */
  instruction: string;
  /** From 0. */
  line: number;
  /** `#` marks before the slot; only the title has them. */
  marks: string;
  /** Nearest heading above without another slot between; null if there is none. */
  heading: (TemplateHeading & { line: number }) | null;
}

export interface BriefTemplate {
  lines: string[];
  slots: SlotLine[];
  headings: Record<(typeof HEADED_SLOTS)[number], TemplateHeading>;
}

export interface TemplatePart {
  id: string;
  title: string;
  instruction: string;
}

// Trimmed after the match: a pattern with white space next to a text that may contain it takes minutes on a long line.
const SLOT_LINE = /^\s*(?:(#{1,6})\s+)?\{\{([^{}:]*)(?::([^{}]*))?\}\}\s*$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;

const CONCLUSIONS_TITLE = 'Conclusions';

export function parseTemplate(text: string): { template: BriefTemplate } | { problems: string[] } {
  const unknownName = unknownTemplateProblem(text);
  if (unknownName !== null) return { problems: [unknownName] };
  const lines = stripUnsafe(text).split('\n');
  const problems: string[] = [];
  const slots: SlotLine[] = [];
  let heading: SlotLine['heading'] = null;
  for (const [line, written] of lines.entries()) {
    const place = `Line ${line + 1} of the template`;
    const found = SLOT_LINE.exec(written);
    const [, marks = '', named = '', said = ''] = found ?? [];
    const [name, instruction] = [named.trim(), said.trim()];
    if (found === null) {
      if (written.includes('{{') || written.includes('}}'))
        problems.push(
          `${place} has a slot that is not alone on its line, or is not closed on it: ${excerpt(written)}.`,
        );
      else heading = parseHeading(written, line) ?? heading;
    } else if (!isSlot(name))
      problems.push(`${place} has an unknown slot: ${slotName(name)}.${slotHint(name)}`);
    else if (slots.some(({ slot }) => slot === name))
      problems.push(`${place} has the slot {{${name}}} a second time.`);
    else if (marks !== '' && name !== 'title')
      problems.push(`${place} has the slot {{${name}}} in a heading; the title alone may stand in one.`);
    else {
      slots.push({ slot: name, instruction, line, marks, heading: name === 'title' ? null : heading });
      heading = null;
    }
  }
  const missing = REQUIRED_SLOTS.filter((name) => !slots.some(({ slot }) => slot === name));
  append(
    problems,
    missing.map((name) => `The template has no slot {{${name}}}.`),
  );
  const headings = new Map(slots.map((slot) => [slot.slot, slot.heading]));
  for (const name of HEADED_SLOTS)
    if (headings.get(name) === null)
      problems.push(
        `The template has no heading of its own before {{${name}}}; a line such as “## Sources” is one.`,
      );
  const [summary, findings, sources] = HEADED_SLOTS.map((name) => headings.get(name) ?? null);
  if (problems.length > 0 || !summary || !findings || !sources) return { problems };
  return { template: { lines, slots, headings: { summary, findings, sources } } };
}

export function templateParts(
  template: BriefTemplate,
  subtopics: readonly { id: string; title: string }[],
): TemplatePart[] {
  return template.slots.flatMap(({ slot, instruction, heading }): TemplatePart[] => {
    if (slot === 'findings') return subtopics.map(({ id, title }) => ({ id, title, instruction }));
    if (slot !== 'summary' && slot !== 'conclusions') return [];
    return [{ id: slot, title: heading?.text ?? CONCLUSIONS_TITLE, instruction }];
  });
}

/** A single line without a slot is taken for a template name. */
function unknownTemplateProblem(text: string): string | null {
  if (/[\n{}]/.test(text.trim())) return null;
  const nearest = nearestName(text.trim(), BUILT_IN_TEMPLATES);
  const hint = nearest === null ? '' : ` Is ${nearest} meant?`;
  const known = `${count(BUILT_IN_TEMPLATES.length, 'template')} ship: ${BUILT_IN_TEMPLATES.join(', ')}`;
  return `${excerpt(text)} is no template: it has no slots, and no template of that name ships (${known}).${hint}`;
}

/** Closing `#` signs are no text of the heading. */
function parseHeading(written: string, line: number): SlotLine['heading'] {
  const [, marks = '', rest = ''] = HEADING.exec(written) ?? [];
  const words = rest.split(/\s+/).filter((word) => word !== '');
  if (/^#+$/.test(words.at(-1) ?? '')) words.pop();
  const text = words.join(' ');
  return text === '' ? null : { markdown: written.trim(), level: marks.length, text, line };
}

function isSlot(name: string): name is TemplateSlot {
  return [...REQUIRED_SLOTS, ...OPTIONAL_SLOTS].some((slot) => slot === name);
}

function slotName(name: string): string {
  return name === '' ? 'one without a name' : `{{${excerpt(name)}}}`;
}

function slotHint(name: string): string {
  const nearest = nearestName(name, [...REQUIRED_SLOTS, ...OPTIONAL_SLOTS]);
  return nearest === null
    ? ` There are ${[...REQUIRED_SLOTS, ...OPTIONAL_SLOTS].join(', ')}.`
    : ` Is {{${nearest}}} meant?`;
}

function excerpt(text: string): string {
  const folded = stripUnsafe(text).replace(/\s+/g, ' ').trim();
  return folded.length > 80 ? `${folded.slice(0, 79)}…` : folded;
}
