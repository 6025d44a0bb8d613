import { type BriefTemplate, readTemplate } from '../../../src/core/brief/template';

/** A template that is known to have no problems. */
export function templateOf(text: string): BriefTemplate {
  const read = readTemplate(text);
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.template;
}
