import { type BriefTemplate, parseTemplate } from '../../../src/report/brief/brief-template';

export function templateOf(text: string): BriefTemplate {
  const read = parseTemplate(text);
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.template;
}
