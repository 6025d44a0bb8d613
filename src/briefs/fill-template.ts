import type { BriefTemplate, TemplateSlot } from './template';

/** Markdown for each slot; what is absent or empty has nothing to say, and its heading goes with it. */
export type SlotTexts = Partial<Record<TemplateSlot, string>>;

export function fillTemplate({ lines, slots }: BriefTemplate, texts: SlotTexts): string {
  const filled = new Map<number, string>();
  const dropped = new Set<number>();
  for (const { slot, line, marks, heading } of slots) {
    const text = texts[slot] ?? '';
    // A title is the heading of the whole, however it is written in the template.
    const lead = slot === 'title' ? `${marks === '' ? '#' : marks} ` : '';
    if (text !== '') filled.set(line, `${lead}${text}`);
    else for (let at = heading?.line ?? line; at <= line; at += 1) dropped.add(at);
  }
  const text = lines.flatMap((line, at) => (dropped.has(at) ? [] : [filled.get(at) ?? line])).join('\n');
  return `${text.replace(/\n{3,}/g, '\n\n').trim()}\n`;
}
