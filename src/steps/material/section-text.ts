import { promptLine } from './material-block';
import type { SectionScope } from './section-scope';

export function numberedSections(sections: readonly SectionScope[]): string {
  const lines = sections.map(({ title, description, subsections }, at) => {
    const parts = subsections.map((part) => promptLine(part)).join('; ');
    return `Section ${at + 1}: ${promptLine(title)}. ${promptLine(description)}${parts === '' ? '' : ` (${parts})`}`;
  });
  return ['Its sections:', ...lines].join('\n');
}

/** What a section is about, in lines. Titles come from a model or from sources, so they are folded to one line each. */
export function sectionText(section: SectionScope): string {
  const subsections = section.subsections.map((title) => promptLine(title)).join('; ');
  return [
    `Section: ${promptLine(section.title)}`,
    `It covers: ${promptLine(section.description)}`,
    ...(subsections === '' ? [] : [`Its subsections: ${subsections}`]),
  ].join('\n');
}
