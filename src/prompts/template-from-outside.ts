import { z } from 'zod';
import { namedVariables, renamedVariables, unreadVariables, type StepTemplate } from '../steps/template';
import type { PromptedStep } from './prompt-source';

const ChatPart = z.object({ role: z.string(), content: z.string() });

export const OutsidePrompt = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    version: z.int(),
    labels: z.array(z.string()),
    prompt: z.string().min(1),
  }),
  z.object({
    type: z.literal('chat'),
    version: z.int(),
    labels: z.array(z.string()),
    // A placeholder has no role; it is told of by name.
    prompt: z
      .array(z.union([ChatPart, z.object({ type: z.literal('placeholder'), name: z.string() })]))
      .min(1),
  }),
]);
export type OutsidePrompt = z.infer<typeof OutsidePrompt>;

/**
 * A prompt as a step's template, or why it cannot be one. A text stands for what the user says; where a chat has no system
 * message, as in a text, the step's own stays, with its rules on material that others wrote. The variables are to be those
 * of the step: one that is unknown would be sent as it is written, and one that is missing is material a model would not see.
 * A prompt that others have written down for the step is taken with its own names, and with the form that it does not know.
 */
export function templateFromOutside(
  prompt: OutsidePrompt,
  { template: own, knownPrompt: known }: Omit<PromptedStep, 'name'>,
): { template: StepTemplate } | { problem: string } {
  const parts = prompt.type === 'text' ? [{ role: 'user', content: prompt.prompt }] : prompt.prompt;
  const texts: Record<'system' | 'user', string[]> = { system: [], user: [] };
  for (const part of parts) {
    if (!('role' in part))
      return { problem: `has a placeholder (${part.name}), for which a step has no messages` };
    const { role, content } = part;
    if (role !== 'system' && role !== 'user') return { problem: `has a message of the role ${role}` };
    texts[role].push(content);
  }
  if (texts.user.length === 0) return { problem: 'has no message of the user' };
  const system = texts.system.length === 0 ? own.system : texts.system.join('\n\n');
  const written = renamedVariables({ system, user: texts.user.join('\n\n') }, known?.variables ?? {});
  const offered = namedVariables(own);
  const template = known === undefined ? written : withForm(written, known.form, offered);
  const named = namedVariables(template);
  const unknown = [...named.filter((name) => !offered.includes(name)), ...unreadVariables(template)];
  const missing = offered.filter((name) => !named.includes(name));
  if (unknown.length === 0 && missing.length === 0) return { template };
  const said = [
    ...(unknown.length > 0 ? [`names ${unknown.join(', ')}, which the step does not offer`] : []),
    ...(missing.length > 0 ? [`leaves out ${missing.join(', ')}`] : []),
  ];
  return { problem: said.join(', and ') };
}

/** The form stands behind a prompt that leaves out what only the form has, and not behind one that says all of it itself. */
function withForm(written: StepTemplate, form: string, offered: readonly string[]): StepTemplate {
  const named = namedVariables(written);
  const isWhole = offered.every((name) => named.includes(name));
  return isWhole ? written : { ...written, user: `${written.user}\n\n${form}` };
}
