import type { BriefRunInput } from '../../../contracts/brief/brief-run';
import { traitsOf } from '../../../contracts/run/engines';
import briefStart from '../../../contracts/schemas/brief-start.json';
import { fillDefaults } from '../../run/input/fill-defaults';
import type { JsonSchema } from '../../../core/shapes/json-schema';
import { schemaProblems } from '../../run/input/schema-problems';
import type { ReadInput } from '../../run/kind';

// A test holds that the schema has no keywords that are not known.
const SCHEMA = briefStart as JsonSchema;

/**
 * What somebody gave the workflow as the input of a brief, with its defaults, or everything that is wrong with it. Pure, and
 * without zod, which is too much for the workflow's sandbox. `startedAt` is an ISO 8601 time.
 */
export function readBriefStart(
  given: unknown,
  run: { runId: string; startedAt: string },
): ReadInput<BriefRunInput> {
  const problems = schemaProblems(SCHEMA, given);
  if (problems.length > 0) return { problems };
  // The schema is made of the contract whose type this is, and the value fits it.
  const filled = fillDefaults(SCHEMA, given) as Omit<BriefRunInput, 'asOf'> & { asOf?: string };
  const input = { ...filled, asOf: filled.asOf ?? run.startedAt, runId: run.runId };
  const further = fieldProblems(input);
  return further.length > 0 ? { problems: further } : { input };
}

/** What no single field shows: fields that do not go together, and texts that have to mean something. */
function fieldProblems({ asOf, engine, models, subtopics, subtopicsRef }: BriefRunInput): string[] {
  const problems: string[] = [];
  if (Number.isNaN(Date.parse(asOf)))
    problems.push(`asOf is ${JSON.stringify(asOf)}; allowed: an ISO 8601 time, such as 2026-01-31T12:00:00Z`);
  if (traitsOf(engine).asksModels && (models ?? null) === null)
    problems.push(`models is missing; the ${engine} engine needs an object with fast, strong and critic`);
  if (subtopics === undefined && subtopicsRef === undefined)
    problems.push(
      'subtopics is missing; allowed: a list of subtopics, or subtopicsRef, where such a list is stored',
    );
  if (subtopics !== undefined && subtopicsRef !== undefined)
    problems.push('subtopics and subtopicsRef are both there; allowed: one of them');
  for (const [index, { title, summary }] of (subtopics ?? []).entries())
    for (const [name, text] of Object.entries({ title, summary }))
      if (text.trim() === '') problems.push(`subtopics[${index}].${name} is empty; allowed: a text`);
  return problems;
}
