import type { FallbackReason } from '../../contracts/run/run';

/** Why a step of a model gave nothing, as its engine knows it. */
export interface FailedStep {
  step: string;
  model?: string;
  reason: FallbackReason;
  /** The list that its answers lacked; absent where that is not the reason, or not known. */
  lacks?: string;
  /** The sources that the content filter refused. */
  sources?: RefusedSource[];
}

export interface RefusedSource {
  id: string;
  title: string;
}

const MOST_TITLE_CHARS = 80;
/** More sources are counted. */
const MOST_NAMED = 3;

/** Why a step gave nothing, as a clause behind a colon; `calls` is how many answers had this fault. */
export function reasonClause(
  { reason, lacks, sources = [] }: Omit<FailedStep, 'step'>,
  calls: number,
): string {
  const answers = calls <= 1 ? 'its answer was' : `its ${calls} answers were`;
  const ofAnswers = calls <= 1 ? 'its answer' : `its ${calls} answers`;
  switch (reason) {
    case 'empty':
      return `${answers} empty`;
    case 'thinking':
      return `it spent all tokens of ${ofAnswers} on thinking`;
    case 'not-json':
      return `${answers} not JSON`;
    case 'off-schema':
      return lacks === undefined
        ? `${ofAnswers} did not keep to the schema`
        : `${ofAnswers} had no list “${lacks}”`;
    case 'uncited':
      return calls <= 1 ? 'its text cites no source' : `its ${calls} texts cite no source`;
    case 'unsupported':
      return `nothing of ${ofAnswers} was found in the sources`;
    case 'nothing-found':
      return 'it found nothing in sources that answer the question';
    case 'cut-off':
      return `${answers} cut off`;
    case 'repeated':
      return 'it repeated itself';
    case 'filtered':
      return sources.length === 0
        ? 'the endpoint’s content filter refused the material'
        : `the endpoint’s content filter refused ${sourcesNamed(sources)}`;
    case 'too-long':
      return 'the material did not fit into its context window';
    case 'too-slow':
      return 'it did not answer in time';
    case 'unreadable':
      return 'the endpoint’s answers could not be read';
    case 'refused':
      return 'the endpoint fails at this request, and answers others';
    case 'budget':
      return 'the budget did not reach';
  }
}

/** `outcome` is a sentence on what stands in its place. */
export function failedSentence(failed: FailedStep, name: string, calls: number, outcome: string): string {
  const model = failed.model === undefined ? 'The model' : `The model ${failed.model}`;
  const wanted = failed.step === 'write-text' || failed.step === 'answer' ? 'text' : 'answer';
  return `${model} gave no usable ${wanted} for ${name}: ${reasonClause(failed, calls)}. ${outcome}`;
}

export function refusedSentence(sources: readonly RefusedSource[]): string {
  const [are, they] = sources.length === 1 ? ['is', 'It'] : ['are', 'They'];
  return `The endpoint’s content filter refused ${sourcesNamed(sources)}. ${they} ${are} left out.`;
}

function sourcesNamed(sources: readonly RefusedSource[]): string {
  const named = sources.slice(0, MOST_NAMED).map(({ title }) => `“${shortTitle(title)}”`);
  const more = sources.length - named.length;
  const all = more === 0 ? named : [...named, `${more} more`];
  const last = all.at(-1) ?? '';
  const list = all.length === 1 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
  return `the ${sources.length === 1 ? 'source' : 'sources'} ${list}`;
}

/** A title is from outside: one line, and no more of it than tells which source it is. */
function shortTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line.length <= MOST_TITLE_CHARS ? line : `${line.slice(0, MOST_TITLE_CHARS - 1)}…`;
}
