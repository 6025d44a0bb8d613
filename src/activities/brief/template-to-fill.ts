import type { Warning } from '../../contracts/run/run';
import { BUILT_IN_TEMPLATES, readTemplate, type BriefTemplate } from '../../core/brief/template';
import { templateText } from '../../templates/template-text';

/**
 * The template of a run. One with problems is refused before the run begins; what such a run leaves has the form of the first
 * that ships.
 */
export async function templateToFill(
  setting: string,
): Promise<{ template: BriefTemplate; warnings: Warning[] }> {
  const read = readTemplate(await templateText(setting));
  if ('template' in read) return { template: read.template, warnings: [] };
  const standard = readTemplate(await templateText(BUILT_IN_TEMPLATES[0]));
  if ('problems' in standard) throw new Error(`The template that ships: ${standard.problems.join(' ')}`);
  const warnings = read.problems.map((message) => ({ code: 'template', message }));
  return { template: standard.template, warnings };
}
