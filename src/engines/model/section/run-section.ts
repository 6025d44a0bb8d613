import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import { countWords } from '../../../core/writing/shorten';
import { groupBySubsection } from '../../../core/writing/subsections';
import { findingShortIds } from '../../../steps/material/short-ids';
import type { WriteSectionInput, WriteSectionOutput } from '../../../steps/write-section/write-section';
import { StepFailedError } from '../../step-failed-error';
import { AllowanceSpentError } from '../allowance-spent-error';
import { type AnswerProblem, betterReading, warningsOf } from '../answers/reading';
import { createEchoes } from '../grounding/echoes';
import { halves } from '../answers/step-answer';
import type { ModelMessage, ModelResponse } from '../port/model-client';
import { ModelFailure } from '../port/model-failure';
import { repairMessages } from '../prompt-messages';
import { repairTurn, type AskedStep } from '../run-json-step';
import { createSectionMaterial, type SectionMaterial } from './section-material';
import { openSectionAnswer, type HeldText } from './section-answer';
import { createSectionWriter, toldIn, type SectionWriter } from './section-writer';

/** How often what is left of a section is asked for separately. */
const MAX_DEPTH = 4;
/** At this depth a text that is cut off without having told of anything runs on however little it is to tell. */
const RUNS_ON_DEPTH = 2;
/** Tokens to a word of a text with citations. */
const TOKENS_A_WORD = 2.5;
const LEAST_OUTPUT_TOKENS = 800;
/** Below this share of its findings a section is not what was asked for. */
const LEAST_COVERED = 0.5;
/** A section of nearly the wanted length had to choose. */
const ENOUGH_WORDS = 0.8;
const WRITING_TEMPERATURE = 0.2;

type Asked = Pick<AskedStep<WriteSectionInput, WriteSectionOutput>, 'step' | 'prompt' | 'calls' | 'warn'>;

/** A section under way. */
interface Writing extends Asked {
  writer: SectionWriter;
  dropped: Set<string>;
}

/**
 * Writes a section from a model's Markdown, paragraph by paragraph as it comes: `onText` gets what will stand, and nothing
 * that is taken back. From the first paragraph with a problem on the text waits for one repair turn, which writes the rest
 * anew; what is still invalid is left out. A text that is cut off goes on with the findings that it has not told of.
 */
export async function runSection(
  asked: Asked,
  input: WriteSectionInput,
  onText: (text: string) => void,
): Promise<WriteSectionOutput> {
  const writing: Writing = { ...asked, writer: createSectionWriter(onText), dropped: new Set() };
  await write(writing, { ...input, findings: inReadingOrder(input) }, 0);
  if (writing.dropped.size > 0) {
    asked.warn({
      code: 'markdown-dropped',
      message: `A section came with ${[...writing.dropped].sort().join(', ')}, which a report does not take from a model; it was dropped.`,
    });
  }
  const draft = writing.writer.draft();
  const problems = asked.step.check(input, draft);
  if (draft.claims.length === 0 && input.findings.length > 0) {
    problems.push({ path: 'markdown', message: 'no sentence of it can be supported by the findings' });
  }
  if (problems.length > 0) throw new StepFailedError(asked.step.name, problems);
  return draft;
}

/** Under their subsections, so that a part of them is a part of the section. */
function inReadingOrder({ section, findings, sources }: WriteSectionInput): WriteSectionInput['findings'] {
  const titles = new Map(sources.map((source) => [source.sourceId, source]));
  return groupBySubsection(section.subsections, findings, titles).flatMap((group) => group.findings);
}

/** Adds what a model writes of the input's findings. */
async function write(writing: Writing, input: WriteSectionInput, depth: number): Promise<void> {
  if (input.findings.length === 0) return;
  const { calls, prompt } = writing;
  const messages = prompt(input);
  const question = { messages, schema: null, ...limitsOf(input) };
  if (!calls.fits(question, 'first') && (await inHalves(writing, input, depth))) return;

  const material = createSectionMaterial(input, aboutOf(input), createEchoes(messages));
  const answer = openSectionAnswer(writing, material, input.section.title);
  const before = writing.writer.covered().size;
  let response: ModelResponse;
  try {
    response = await calls.ask(question, (text) => answer.write(text));
  } catch (error) {
    if (error instanceof AllowanceSpentError && depth > 0) {
      writing.warn({
        code: 'budget',
        message: 'A part of a section was left out, because its budget is spent.',
      });
      return;
    }
    if (!(error instanceof ModelFailure)) throw error;
    if ((error.kind === 'context-length' || error.isTooSlow) && (await inHalves(writing, input, depth)))
      return;
    if (error.kind !== 'content-filter') throw error;
    writing.writer.add(answer.end({ cutOff: true }).output ?? []);
    await goOn(writing, input, depth, before);
    return;
  }
  answer.takeWhole(response);
  const ended = response.finishReason !== 'length' && response.finishReason !== 'content-filter';
  // What was stopped because it repeats itself has said what it had to say.
  const partial = !ended && response.interrupted !== 'repetition';
  const held = answer.end({ cutOff: !ended });
  if (partial) {
    accept(writing, held);
    await goOn(writing, input, depth, before);
    return;
  }
  if (calls.runsOn()) calls.learnRunsOn(false);
  const untold = untoldFindings(writing, input, held);
  if (held.problems.length + untold.length === 0) accept(writing, held);
  else
    await repair(writing, input, material, { messages, response, held, heldFrom: answer.heldFrom(), untold });
}

function limitsOf({ targetWords }: WriteSectionInput): { temperature: number; maxOutputTokens: number } {
  const wanted = Math.max(LEAST_OUTPUT_TOKENS, Math.ceil(targetWords * TOKENS_A_WORD));
  return {
    temperature: WRITING_TEMPERATURE,
    maxOutputTokens: Math.min(MAX_OUTPUT_TOKENS.writeSection, wanted),
  };
}

function aboutOf({ section }: WriteSectionInput): string[] {
  return [section.title, section.description, ...section.subsections.map(({ title }) => title)];
}

/** Asks for what the text has not told of yet: all at once where it told of something, else in halves. */
async function goOn(
  writing: Writing,
  input: WriteSectionInput,
  depth: number,
  coveredBefore: number,
): Promise<void> {
  const covered = writing.writer.covered();
  const rest = input.findings.filter(({ id }) => !covered.has(id));
  if (covered.size > coveredBefore && depth < MAX_DEPTH) {
    await write(writing, partOf(input, rest), depth + 1);
    return;
  }
  // Half and a quarter of the findings gave no more than all: a smaller part will not.
  if (depth >= RUNS_ON_DEPTH) writing.calls.learnRunsOn(true);
  if (!writing.calls.runsOn() && (await inHalves(writing, partOf(input, rest), depth))) return;
  writing.warn({
    code: 'finding-left-out',
    message: 'A finding could not be written about, and was left out of its section.',
  });
}

/** False where there are no halves. */
async function inHalves(writing: Writing, input: WriteSectionInput, depth: number): Promise<boolean> {
  const parts = depth < MAX_DEPTH ? halves(input.findings) : null;
  if (parts === null) return false;
  for (const findings of parts) await write(writing, partOf(input, findings), depth + 1);
  return true;
}

/** The input for some of its findings, with the conflicts that they stand in. */
function partOf(input: WriteSectionInput, findings: WriteSectionInput['findings']): WriteSectionInput {
  const ids = new Set(findings.map(({ id }) => id));
  const share = findings.length / Math.max(1, input.findings.length);
  return {
    ...input,
    findings,
    conflicts: input.conflicts.filter(({ findingIds }) => findingIds.some((id) => ids.has(id))),
    targetWords: Math.max(1, Math.round(input.targetWords * share)),
  };
}

/** Takes what was held as it is: without what is invalid in it. */
function accept(writing: Writing, held: HeldText): void {
  writing.writer.add(held.output ?? []);
  writing.warn(...warningsOf(held.problems));
}

/** The short ids of findings that are not told of, where that is most of what was wanted. */
function untoldFindings(writing: Writing, input: WriteSectionInput, held: HeldText): string[] {
  const blocks = held.output ?? [];
  const told = new Set([...writing.writer.covered(), ...blocks.flatMap(toldIn)]);
  const untold = input.findings.filter(({ id }) => !told.has(id));
  const text = [writing.writer.draft().markdown, ...blocks.map(({ markdown }) => markdown)].join('\n');
  const isShort = countWords(text) < input.targetWords * ENOUGH_WORDS;
  if (!isShort || untold.length <= input.findings.length * (1 - LEAST_COVERED)) return [];
  const ids = findingShortIds(input.findings);
  return untold.map(({ id }) => ids.shortOf(id));
}

/** One turn that writes the held part anew, or adds what is missing; the better of both is taken. */
async function repair(
  writing: Writing,
  input: WriteSectionInput,
  material: SectionMaterial,
  first: {
    messages: ModelMessage[];
    response: ModelResponse;
    held: HeldText;
    heldFrom: string | null;
    untold: string[];
  },
): Promise<void> {
  const { calls } = writing;
  const { held, heldFrom, untold } = first;
  const problems: AnswerProblem[] = [...held.problems];
  if (untold.length > 0) {
    problems.push({
      path: 'the section',
      message: `it does not tell of ${untold.join(', ')}`,
      code: 'findings-untold',
      warning: 'A section tells of less than half of its findings.',
    });
  }
  const messages = repairMessages(
    first.messages,
    first.response.text,
    problems,
    repairRequest(heldFrom, writing.writer.draft().markdown === ''),
  );
  const question = { messages, schema: null, ...limitsOf(input) };
  const unrepaired = { ...held, problems };
  if (!calls.fits(question, 'repair')) {
    accept(writing, unrepaired);
    return;
  }
  const response = await repairTurn(() => calls.ask(question));
  if (response === null || response.finishReason === 'content-filter') {
    accept(writing, unrepaired);
    return;
  }
  const again = openSectionAnswer({ ...writing, holdsAll: true }, material, input.section.title);
  again.takeWhole(response);
  accept(writing, betterReading(unrepaired, again.end({ cutOff: response.finishReason === 'length' })));
}

function repairRequest(heldFrom: string | null, nothingStands: boolean): string {
  if (nothingStands) return 'Write the section again in full, with these problems mended.';
  if (heldFrom === null) {
    return 'What you wrote stands. Write only the paragraphs that are missing, to follow it; repeat nothing.';
  }
  const opening = heldFrom.replace(/\s+/g, ' ').trim().slice(0, 80);
  return `What stands before the paragraph that begins with “${opening}” stays as it is; do not write it again. Write the section from that paragraph on, with these problems mended.`;
}
