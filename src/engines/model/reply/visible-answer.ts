import elements from '../grounding/data/html-elements.json';
import type { VisibleText } from '../markdown/open-blocks';
import { withoutThinking } from '../port/thinking';
import { withoutReasoning } from './without-reasoning';

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
