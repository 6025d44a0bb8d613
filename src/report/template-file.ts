import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { BUILT_IN_TEMPLATES } from './brief/brief-template';

/** Works from `dist` and from `src`. */
const TEMPLATES_DIR = path.resolve(__dirname, '../../templates');

/** The text of a built-in template; any other setting is a template's text itself. */
export async function templateText(setting: string): Promise<string> {
  const name = BUILT_IN_TEMPLATES.find((known) => known === setting.trim());
  return name === undefined ? setting : readFile(path.join(TEMPLATES_DIR, `${name}.md`), 'utf8');
}
