import type { SectionBrief } from '../extract-findings';
import { promptLine } from './material';

/** What a section is about, in lines. Titles come from a model or from sources, so they are folded to one line each. */
export function sectionText(section: SectionBrief): string {
  const subsections = section.subsections.map((title) => promptLine(title)).join('; ');
  return [
    `Section: ${promptLine(section.title)}`,
    `It covers: ${promptLine(section.description)}`,
    ...(subsections === '' ? [] : [`Its subsections: ${subsections}`]),
  ].join('\n');
}
