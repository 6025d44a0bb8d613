import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { BUILT_IN_TEMPLATES } from '../core/brief/template';

/** From `dist/templates` and from `src/templates` alike. */
const TEMPLATES_DIR = path.resolve(__dirname, '../../templates');

/** The template that a run's settings mean: the text of one that ships, by its name, or the text that they are themselves. */
export async function templateText(setting: string): Promise<string> {
  const name = BUILT_IN_TEMPLATES.find((known) => known === setting.trim());
  return name === undefined ? setting : readFile(path.join(TEMPLATES_DIR, `${name}.md`), 'utf8');
}
