import elements from '../grounding/data/html-elements.json';
import type { VisibleText } from '../markdown/open-blocks';
import { withoutThinking } from '../port/thinking';
import { terms } from '../../../language/words';
import { REASONING_STEPS } from '../../../steps/answer/reasoning-steps';

/** The line that parts notes from the answer, in the ways that models write it: `ANSWER:`, `## Final answer`, `**Answer:** …`. */
const BEGINS = /^[\s#>*_]*(?:final\s+)?answer[\s*_]*(?::[\s*_]*(.*))?$/i;
const TAG = /^[\s>*_`]*<([a-z][\w:-]*)>/i;
const ANSWER_TAG = /answer$/i;
const END_OF_ANSWER = /<\/(?:\w+_)?answer>/i;
const active = new Set(elements.names);

/**
 * Parts an answer from what a model thinks aloud: what stands between tags that are no HTML goes, and where notes are asked
 * for, all before the line that ends them. Where that line is lacking, what is known as their steps goes.
 */
export function createVisibleAnswer({ expectsNotes }: { expectsNotes: boolean }): VisibleText {
  let pending = '';
  let held: string[] = [];
  let begun = !expectsNotes;
  let ended = false;
  let tag: string | null = null;
  let visible = '';

  const show = (line: string): void => {
    if (begun) visible += `${line}\n`;
    else held.push(line);
  };
  const take = (line: string): void => {
    if (ended) return;
    if (tag !== null) {
      const close = `</${tag}>`;
      const at = line.toLowerCase().indexOf(close);
      if (at < 0) return;
      tag = null;
      takeRest(line.slice(at + close.length));
      return;
    }
    const opened = TAG.exec(line);
    const name = opened?.[1]?.toLowerCase() ?? '';
    const start = BEGINS.exec(line);
    if (start !== null || ANSWER_TAG.test(name)) {
      begun = true;
      held = [];
      takeRest(start === null ? line.slice(opened?.[0].length) : (start[1] ?? ''));
      return;
    }
    if (opened !== null && !active.has(name)) {
      tag = name;
      takeRest(line.slice(opened[0].length));
      return;
    }
    const end = END_OF_ANSWER.exec(line);
    show(end === null ? line : line.slice(0, end.index));
    ended = end !== null;
  };
  const takeRest = (rest: string): void => {
    if (rest.trim() !== '') take(rest);
  };
  const given = (): string => {
    const text = visible;
    visible = '';
    return text;
  };
  return {
    push(text) {
      pending += text;
      if (!text.includes('\n')) return '';
      const lines = pending.split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) take(line.replace(/\r$/, ''));
      return given();
    },
    end() {
      take(pending);
      pending = '';
      // The end of the text ends no line: where it was cut off, its last sentence is not whole.
      return begun ? given().replace(/\n$/, '') : withoutReasoning(withoutThinking(held.join('\n')));
    },
  };
}

/** `1.`, `**Step 2:**`, `### 3)`: how a step is counted. */
const COUNTED = /^[\s>#*_-]*(?:step\s+)?(\d)\s*[.):]+[\s*_]*/i;
const SIGNS = /^[\s>#*_-]+/;
/** A label is a whole heading, or a few words before a colon. */
const LABEL = /^([^:]{1,80}?)[\s*_]*:[\s*_]*(.*)$/;
const HEADING = /^\s*(?:#{1,6}\s|\*\*[^*]+\*\*\s*$)/;
const CITES = /\[\s*P?\d/;

const stepTerms = REASONING_STEPS.map((step) => new Set(terms(step)));
const LAST_STEP = REASONING_STEPS.length;

/**
 * The answer of a text in which a model reasoned before it without a mark between the two: what follows the last of its steps.
 * Steps are known by labels in the words of the instruction, or by being counted to as many as were asked for.
 */
function withoutReasoning(text: string): string {
  const lines = text.split('\n');
  const steps = countedSteps(lines) ?? labelledSteps(lines);
  const last = steps.at(-1);
  if (last === undefined) return text;
  // What stands in the last step is the answer that it asks for.
  if (last.step === LAST_STEP) return [last.rest, ...lines.slice(last.at + 1)].join('\n');
  const end = lines.findIndex((line, at) => at > last.at && line.trim() === '');
  return end < 0 ? '' : lines.slice(end).join('\n');
}

interface FoundStep {
  at: number;
  step: number;
  /** What follows its label in the line. */
  rest: string;
}

/** A text that opens with a list of exactly the steps, of which the first, on subtopics alone, cites nothing. */
function countedSteps(lines: readonly string[]): FoundStep[] | null {
  const counted = lines.flatMap((line, at): FoundStep[] => {
    const found = COUNTED.exec(line);
    return found === null
      ? []
      : [{ at, step: Number(found[1]), rest: afterLabel(line.slice(found[0].length)) }];
  });
  const opens = lines.findIndex((line) => line.trim() !== '') === counted[0]?.at;
  const inTurn = counted.every(({ step }, at) => step === at + 1);
  const citesFirst = CITES.test(lines[counted[0]?.at ?? 0] ?? '');
  return opens && inTurn && counted.length === LAST_STEP && !citesFirst ? counted : null;
}

function labelledSteps(lines: readonly string[]): FoundStep[] {
  return lines.flatMap((line, at): FoundStep[] => {
    const plain = line.replace(COUNTED, '').replace(SIGNS, '');
    const labelled = LABEL.exec(plain);
    const label = labelled?.[1] ?? (HEADING.test(line) ? plain : '');
    const step = stepOf(label);
    return step === null ? [] : [{ at, step, rest: labelled?.[2] ?? '' }];
  });
}

/** The step whose words make up the label, from 1; the last one's where several have as many. */
function stepOf(label: string): number | null {
  const own = terms(label);
  const all = stepTerms.map((step) => own.filter((term) => step.has(term)).length);
  if (own.length === 0 || !own.every((term) => stepTerms.some((step) => step.has(term)))) return null;
  return all.lastIndexOf(Math.max(...all)) + 1;
}

function afterLabel(text: string): string {
  const labelled = LABEL.exec(text);
  if (stepOf(labelled?.[1] ?? text) === null) return text;
  return labelled?.[2] ?? '';
}
