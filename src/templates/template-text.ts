import { ENGLISH, type Texts } from '../texts/texts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { BUILT_IN_TEMPLATES } from '../briefs/template';

/** From `dist/templates` and from `src/templates` alike. */
const TEMPLATES_DIR = path.resolve(__dirname, '../../templates');

/** A heading, and what stands before a date. */
const WORDS = /^(#+ +)(?!\{)(.+)$|(?<=\{\{date: )([^}]+)/gm;

/**
 * The template that a run's settings mean: the text of one that ships, by its name, with its headings in the run's language, or the
 * text that they are themselves.
 */
export async function templateText(setting: string, { brief }: Texts = ENGLISH): Promise<string> {
  const name = BUILT_IN_TEMPLATES.find((known) => known === setting.trim());
  if (name === undefined) return setting;
  const text = await readFile(path.join(TEMPLATES_DIR, `${name}.md`), 'utf8');
  return text.replace(WORDS, (_whole, marks: string | undefined, heading: string, label: string) =>
    marks === undefined ? brief.inTemplate(label) : `${marks}${brief.inTemplate(heading)}`,
  );
}
