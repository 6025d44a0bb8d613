import type { Readable } from 'node:stream';
import { BUILT_IN_TEMPLATES, readTemplate } from '../briefs/template';
import { MAX_TEMPLATE_CHARS } from '../contracts/brief/brief-settings';
import { locatedFile, type FileBounds } from '../platform/given-file';
import { readGivenText } from '../platform/given-text';

/** More bytes than its characters can have. */
const TEMPLATE_BOUNDS: FileBounds = { maxBytes: 128 * 1024, orInherited: true };

/** The name of a template that ships, or the text of a file with one; or what is wrong with it, as sentences. */
export async function chosenTemplate(
  nameOrFile: string,
  { cwd, stdin }: { cwd: string; stdin?: Readable },
): Promise<{ template: string } | { problems: string[] }> {
  const name = BUILT_IN_TEMPLATES.find((known) => known === nameOrFile.trim());
  if (name !== undefined) return { template: name };
  const given = await readGivenText(locatedFile(cwd, nameOrFile), {
    ...TEMPLATE_BOUNDS,
    ...(stdin === undefined ? {} : { stdin }),
  });
  if (!given.ok) {
    const line = given.line === undefined ? '' : `line ${given.line}: `;
    return {
      problems: [
        `it is neither a template that ships (${BUILT_IN_TEMPLATES.join(', ')}) nor a file that can be read: ${line}${given.message}`,
      ],
    };
  }
  const { text } = given;
  if (text.length > MAX_TEMPLATE_CHARS)
    return {
      problems: [`the file has ${text.length} characters; a template has at most ${MAX_TEMPLATE_CHARS}`],
    };
  const read = readTemplate(text);
  return 'problems' in read ? read : { template: text };
}
