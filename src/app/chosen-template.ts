import { readFile } from 'node:fs/promises';
import { BUILT_IN_TEMPLATES, readTemplate } from '../core/brief/template';
import { MAX_TEMPLATE_CHARS } from '../contracts/brief/brief-settings';
import { errorCode } from '../platform/error-code';

/** The name of a template that ships, or the text of a file with one; or what is wrong with it, as sentences. */
export async function chosenTemplate(
  nameOrFile: string,
): Promise<{ template: string } | { problems: string[] }> {
  const name = BUILT_IN_TEMPLATES.find((known) => known === nameOrFile.trim());
  if (name !== undefined) return { template: name };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(nameOrFile));
  } catch (error) {
    return {
      problems: [
        `it is neither a template that ships (${BUILT_IN_TEMPLATES.join(', ')}) nor a file that can be read: ${whyUnread(error)}`,
      ],
    };
  }
  if (text.trim() === '') return { problems: ['the file is empty'] };
  if (text.length > MAX_TEMPLATE_CHARS)
    return {
      problems: [`the file has ${text.length} characters; a template has at most ${MAX_TEMPLATE_CHARS}`],
    };
  const read = readTemplate(text);
  return 'problems' in read ? read : { template: text };
}

function whyUnread(error: unknown): string {
  if (error instanceof TypeError) return 'it is no text in UTF-8';
  const code = errorCode(error);
  if (code === 'ENOENT') return 'there is none of that name';
  return code === 'EISDIR' ? 'it is a folder' : `it cannot be read (${String(code)})`;
}
