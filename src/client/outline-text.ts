import { GivenOutline, type Outline } from '../contracts/outline';
import { findSchemaProblems } from '../lib/validation';

const WHITESPACE = /\s+/g;

/**
 * An outline as editable Markdown: the theme is the level-1 heading, each section a level-2 heading with its description, and
 * subsections are a list.
 */
export function formatOutline({ overallTheme, sections }: Outline): string {
  const line = (text: string): string => text.replace(WHITESPACE, ' ').trim();
  return [
    `# ${line(overallTheme)}`,
    ...sections.map(({ title, description, subsections }) =>
      [
        `## ${line(title)}`,
        line(description),
        ...(subsections.length === 0 ? [] : [subsections.map((one) => `- ${line(one.title)}`).join('\n')]),
      ].join('\n\n'),
    ),
  ].join('\n\n');
}

/** Parses such Markdown. Problems name the line. */
export function parseOutline(text: string): { outline: GivenOutline } | { problems: string[] } {
  const outline: GivenOutline = { sections: [] };
  const problems: string[] = [];
  /** The line of each section, from 1. */
  const lines: number[] = [];
  for (const [index, given] of text.split(/\r?\n/).entries()) {
    const line = given.trim();
    if (line === '') continue;
    const section = outline.sections.at(-1);
    const [, marks = '', said = ''] = /^(#{1,6}|[-*])\s+(.*)$/.exec(line) ?? [];
    if (marks === '##') {
      outline.sections.push({ title: said });
      lines.push(index + 1);
    } else if (marks === '#' && section === undefined) outline.overallTheme = said;
    else if (section === undefined || marks.startsWith('#'))
      problems.push(
        `Line ${index + 1}: an outline has one "# …" line, and a "## …" line for each section; under that stands what it is about.`,
      );
    else if (marks !== '') section.subsections = [...(section.subsections ?? []), said];
    else section.description = section.description === undefined ? line : `${section.description} ${line}`;
  }
  if (problems.length > 0) return { problems };
  const wrong = findSchemaProblems(GivenOutline, outline).map(({ path: [, at], sentence }) =>
    typeof at === 'number' ? `The section of line ${lines[at] ?? 1}: ${sentence}.` : `${sentence}.`,
  );
  return wrong.length > 0 ? { problems: wrong } : { outline };
}
