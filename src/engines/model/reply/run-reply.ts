import { citedIds } from '../../../core/text/citation-marks';
import { replyTokens } from '../../../steps/answer/answer';
import type { AnswerInput, AnswerOutput } from '../../../steps/answer/contract';
import { StepFailedError } from '../../step-failed-error';
import { halves } from '../answers/step-answer';
import type { ModelResponse } from '../port/model-client';
import { ModelFailure } from '../port/model-failure';
import { openText } from '../text/open-text';
import { repairText } from '../text/repair-text';
import { readTextBlock } from '../text/text-block';
import { createTextWriter, type TextWriter } from '../text/text-writer';
import { accept, type AskedText, type BlockReader } from '../text/writing';
import { createVisibleAnswer } from './visible-answer';
import { numberedPassages } from '../../../steps/answer/passage-context';
import { createGrounding } from '../grounding/grounding';
import { type CitedMaterial, quotableIn } from '../text/cited-material';
import { citedNumbers } from '../../../steps/answer/cited-numbers';
import { readCitations, type TokenisedText } from '../markdown/citation-tokens';
import { isNegated } from '../../../language/negation';
import type { PlacedWord } from '../../../language/word-positions';
import { placedWords } from '../../../language/word-positions';
import { stemOf } from '../../../language/words';
import data from './data/missing-words.json';

const stems = (words: readonly string[]): ReadonlySet<string> => new Set(words.map(stemOf));

const tells = stems(data.tells);

const told = stems(data.told);

const lacking = stems(data.lacking);

const writer = new Set(data.writer);

const material = stems(data.material);

const looseMaterial = stems(data.looseMaterial);

/** A sentence that cites something is on what it cites, unless it opens with what is not told. */
const OPENING_WORDS = 8;

const NUMBER = String.raw`(?:(?:passages?|sources?|chunks?|documents?)\s*)?[@#^]?P?\d{1,3}`;

/** Models copy the label of a passage with its pages. */
const PAGES = String.raw`(?:\s*:\s*pp?\.?\s*\d{1,5}(?:\s*[-–—]\s*\d{1,5})?)?`;

const ONE = `${NUMBER}${PAGES}`;

const MORE = String.raw`(?:\s*(?:[,;&]|and|[-–—]|\]\s*\[)\s*${ONE})*`;

const MARK = new RegExp(String.raw`\[\s*${ONE}${MORE}\s*\]|\(\s*passages?\s*${ONE}${MORE}\s*\)`, 'gi');

/** `[@id]`, `[S1]`, `[Source: …]`: ways to cite that were not offered. */
const OTHER_MARK = /\[\s*(?:@(?!P?\d)|[SF]\s?\d|(?:source|citation|file)s?\s*:)[^\]]*\]/gi;

type AskedReply = AskedText<AnswerInput, AnswerOutput>;

interface Replying extends AskedReply {
  writer: TextWriter;
  dropped: Set<string>;
}

/** How often the passages are halved where they are too many, or some are refused. */
const MAX_DEPTH = 3;
const NOTHING_TO_READ = 'I could not find any passage on the question.';

/**
 * Answers from a model's Markdown, paragraph by paragraph as it comes: `onText` gets what will stand, and nothing that is
 * taken back. From the first paragraph with a problem on the text waits for one repair turn, which writes the rest anew; what
 * is still invalid is left out. Throws `StepFailedError` where nothing is left, and what the calls throw.
 */
export async function runReply(
  asked: AskedReply,
  input: AnswerInput,
  onText: (text: string) => void,
): Promise<AnswerOutput> {
  const replying: Replying = { ...asked, writer: createTextWriter(onText), dropped: new Set() };
  if (input.passages.length === 0)
    return { markdown: '', sentences: [], uncited: [], missing: NOTHING_TO_READ, setAside: [] };
  await write(replying, input, 0);
  if (replying.dropped.size > 0) {
    asked.warn({
      code: 'markdown-dropped',
      message: `An answer came with ${[...replying.dropped].sort().join(', ')}, which is not taken from a model; it was dropped.`,
    });
  }
  const draft = draftOf(replying.writer, input);
  const problems = asked.step.check(input, draft);
  if (draft.sentences.length + draft.uncited.length === 0 && draft.missing === null)
    problems.push({ path: 'markdown', message: 'no sentence of it is on what the passages say' });
  if (problems.length > 0) throw new StepFailedError(asked.step.name, problems);
  return draft;
}

async function write(replying: Replying, input: AnswerInput, depth: number): Promise<void> {
  const { calls, prompt, warn } = replying;
  const messages = prompt(input);
  const { temperature } = input;
  const question = { messages, schema: null, temperature, maxOutputTokens: replyTokens(input) };
  if (!calls.fits(question, 'first') && (await fromFewer(replying, input, depth))) return;

  const material = createPassageMaterial(input);
  const answer = openText(
    { ...replying, visible: createVisibleAnswer({ expectsNotes: input.synthesisMode }) },
    answerReader(material, replying.writer),
  );
  let response: ModelResponse;
  try {
    response = await calls.ask(question, (text) => answer.write(text));
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    if (error.kind === 'context-length' || error.isTooSlow) {
      if (await fromFewer(replying, input, depth)) return;
    }
    if (error.kind === 'content-filter' && (await fromWhatIsNotRefused(replying, input, depth))) return;
    throw error;
  }
  answer.takeWhole(response);
  const cutOff = response.finishReason === 'length' || response.finishReason === 'content-filter';
  const held = answer.end({ cutOff });
  if (cutOff) {
    warn({ code: 'answer-cut-off', message: 'An answer was cut off; its whole sentences are used.' });
    if (replying.writer.sentences().length + held.parts > 0) {
      accept(replying, held);
      return;
    }
    if (response.finishReason === 'content-filter' && (await fromWhatIsNotRefused(replying, input, depth)))
      return;
    held.problems.push({
      path: 'the answer',
      message: 'it was cut off before anything was answered; write the answer alone, and less',
      code: 'answer-cut-off',
      warning: 'An answer was cut off before anything was answered.',
    });
  }
  const written = replying.writer.sentences();
  if (held.problems.length === 0 && written.length > 0 && written.every(citesNothing))
    held.problems.push({
      path: 'the answer',
      message: 'it ends behind its opening sentence; add the points that it sums up, with their citations',
      code: 'sentence-uncited',
      warning: 'A sentence that states something and cites no passage was left out.',
    });
  if (held.problems.length === 0) accept(replying, held);
  else {
    // It is asked for the answer alone, and may come with notes all the same.
    const open = (): ReturnType<typeof openText> =>
      openText(
        { ...replying, holdsAll: true, visible: createVisibleAnswer({ expectsNotes: true }) },
        answerReader(material, replying.writer),
      );
    const faulty = { question, response, held, heldFrom: answer.heldFrom() };
    await repairText(replying, faulty, { noun: 'answer, and no notes before it,', open });
  }
}

function citesNothing({ text }: { text: string }): boolean {
  return citedIds(text).length === 0;
}

/** Reads an answer block by block. The first sentence of its first block may cite nothing. */
function answerReader(material: CitedMaterial, writer: TextWriter): BlockReader {
  let isBegun = writer.sentences().length > 0;
  const opens = (): boolean => {
    const mayOpen = !isBegun;
    isBegun = true;
    return mayOpen;
  };
  return (block, context) => {
    const reading = readTextBlock(block, { ...material, opens }, { ...context, noun: 'an answer' });
    isBegun ||= reading.blocks.some(({ kind }) => kind !== 'heading');
    return reading;
  };
}

/** An opening sentence rests on all that the sentences below it cite; alone, on all that was read. */
function draftOf(writer: TextWriter, { passages }: AnswerInput): AnswerOutput {
  const missing = writer.missing();
  const written = writer.sentences();
  const cited = [...new Set(written.flatMap(({ text }) => citedIds(text)))];
  const below = cited.length > 0 ? cited : passages.map(({ id }) => id);
  return {
    markdown: writer.markdown(),
    sentences: written.map(({ text, plain, isClaim }) => ({
      text,
      plain,
      passageIds: isClaim && citesNothing({ text }) ? below : [...new Set(citedIds(text))],
      isClaim,
    })),
    uncited: writer.uncited(),
    missing: missing.length === 0 ? null : missing.join(' '),
    setAside: [],
  };
}

/** From the better half of the passages; false where there is none. */
async function fromFewer(replying: Replying, input: AnswerInput, depth: number): Promise<boolean> {
  const { passages } = input;
  if (depth >= MAX_DEPTH || passages.length < 2) return false;
  const byScore = [...passages].sort((a, b) => b.score - a.score);
  const best = new Set(byScore.slice(0, Math.ceil(passages.length / 2)));
  replying.warn({
    code: 'passages-left-out',
    message: 'There were more passages than a model takes; an answer was written from the best of them.',
  });
  await write(replying, { ...input, passages: passages.filter((one) => best.has(one)) }, depth + 1);
  return true;
}

/** From the first of the halves and quarters of the passages that the endpoint's content filter lets pass; false for none. */
async function fromWhatIsNotRefused(replying: Replying, input: AnswerInput, depth: number): Promise<boolean> {
  const parts = depth < MAX_DEPTH ? (halves(input.passages) ?? []) : [];
  for (const passages of [...parts, ...parts.flatMap((part) => halves(part) ?? [])]) {
    try {
      // No part is parted once more.
      await write(replying, { ...input, passages }, MAX_DEPTH);
    } catch (error) {
      if (error instanceof ModelFailure && error.kind === 'content-filter') continue;
      throw error;
    }
    replying.warn({
      code: 'source-refused',
      message:
        'The endpoint’s content filter refused some of the passages; an answer was written from others.',
    });
    return true;
  }
  return false;
}

/** Of the content words of what is said to be missing, so many stand in the question, the conversation or the passages. */
const LEAST_ASKED = 0.3;
/** Passages are read whole, and much of what is said of them is in other words. */
const LEAST_OF_UNCITED = 0.5;
const LEADS_ON = /:$/;

function createPassageMaterial(input: AnswerInput): CitedMaterial {
  const { question, passages, history } = input;
  const ids = numberedPassages(input).map(({ id }) => id);
  const told = [
    question,
    ...passages.map(({ text }) => text),
    ...passages.map(({ document, title, author, site, publishedAt }) =>
      [document, title, author, site, publishedAt].join('\n'),
    ),
  ];
  const asked = createGrounding([...told, ...history.map(({ content }) => content)]);
  const grounding = createGrounding(told);
  return {
    cites: 'passage',
    grounding,
    said: createGrounding([question, ...passages.map(({ text }) => text)]),
    leastOfUncited: LEAST_OF_UNCITED,
    keepsForm: true,
    readCitations: readPassageCitations,
    idsOf: (number) => ids.slice(Number(number) - 1, Number(number)),
    isQuoted: quotableIn(passages.flatMap(({ text, title }) => [text, title])),
    connects: (sentence) =>
      LEADS_ON.test(sentence) && !/\d/.test(sentence) && grounding.share(sentence) >= LEAST_OF_UNCITED,
    missing: {
      isTold: tellsWhatIsMissing,
      mayBeTold: (sentence) =>
        asked.strangers(sentence).length === 0 &&
        (asked.share(sentence, isOfTelling) >= LEAST_ASKED || !asked.isEnglish()),
    },
  };
}

/** A text whose citations of numbered passages are tokens; `[1-3]` cites three of them. */
function readPassageCitations(plain: string): TokenisedText {
  return readCitations(plain, {
    mark: MARK,
    named: (mark) => citedNumbers(mark).map(String),
    other: OTHER_MARK,
  });
}

/**
 * Whether a sentence says that the given texts do not tell something: `I could not find …`, `the passages do not say …`. One
 * that cites a passage has to name the passages themselves: `No evidence of harm was found` is a result.
 */
function tellsWhatIsMissing(sentence: string, { cites }: { cites: boolean }): boolean {
  const words = placedWords(sentence);
  const named = (set: ReadonlySet<string>): boolean => words.some(({ stem }) => set.has(stem));
  const isOnMaterial =
    named(material) || (!cites && (named(looseMaterial) || words.some(({ word }) => writer.has(word))));
  if (!isOnMaterial) return false;
  const at = words.findIndex((word, place) => isDenied(words, word, place));
  return at >= 0 && (!cites || at < OPENING_WORDS);
}

function isDenied(words: readonly PlacedWord[], { stem }: PlacedWord, place: number): boolean {
  return lacking.has(stem) || ((tells.has(stem) || told.has(stem)) && isNegated(words, place));
}

function isOfTelling(stem: string): boolean {
  return [tells, told, lacking, material, looseMaterial].some((set) => set.has(stem));
}
