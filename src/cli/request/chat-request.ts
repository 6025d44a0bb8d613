import { ArtifactRef } from '../../contracts/run/artifact';
import { UsageError } from '../failures/usage-error';
import { answerConditions, type AnswerConditions, type AnswerOptions } from './answer-options';
import type { RequestContext } from '../command-context';
import type { RequestedSearch } from '../../client/requested-search';
import { searchOf } from './search-options';
import { toldValue } from '../../core/values/told-value';
import { pathProblems } from './path-problems';

export type ChatOptions = Pick<
  AnswerOptions,
  | 'sources'
  | 'search'
  | 'searchPages'
  | 'manifest'
  | 'conversation'
  | 'citations'
  | 'engine'
  | 'patience'
  | 'wait'
  | 'attempts'
  | 'set'
  | 'skipInvalid'
>;

/** A conversation that was asked for, with everything checked that can be without a server. */
export interface CheckedChat extends AnswerConditions {
  paths: string[];
  manifestRef: ArtifactRef | null;
  /** What each question is searched for; null where nothing is. */
  search: RequestedSearch | null;
  conversationId: string | undefined;
}

/** Throws one `UsageError` with everything that is wrong. */
export async function checkChatRequest(options: ChatOptions, context: RequestContext): Promise<CheckedChat> {
  const { sources: paths = [], manifest, conversation: conversationId } = options;
  const problems = await pathProblems(paths, context.io.cwd);
  const ref = ArtifactRef.optional().safeParse(manifest);
  if (!ref.success)
    problems.push(
      `--manifest is ${toldValue(manifest)}: it has to be the manifestRef that "import" prints, of 64 hexadecimal digits.`,
    );
  if (manifest !== undefined && paths.length > 0)
    problems.push(
      '--manifest and --sources are both given: give one of them, or import the sources together.',
    );
  const search = searchOf(options, problems);
  if (manifest === undefined && paths.length === 0 && conversationId === undefined && search === null)
    problems.push(
      'There is nothing to talk about: give --sources PATH, --manifest REF, --search INDEXES, or the --conversation ID of an earlier one.',
    );
  const conditions = answerConditions(options, context, problems);
  if (conditions === null || problems.length > 0) throw new UsageError(problems);
  return { ...conditions, paths, manifestRef: ref.data ?? null, search, conversationId };
}
