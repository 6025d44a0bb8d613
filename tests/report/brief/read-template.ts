import { type BriefTemplate, readTemplate } from '../../../src/report/brief/brief-template';

export function templateOf(text: string): BriefTemplate {
  const read = readTemplate(text);
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.template;
}
