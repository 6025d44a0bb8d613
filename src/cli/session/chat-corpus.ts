import type { Session } from '../../app/session/open-session';
import type { KnownCorpus } from '../../client/answer/known-corpus';
import { conversationLog } from '../../core/run/kept-names';
import { UsageError } from '../failures/usage-error';
import type { CheckedChat } from '../request/chat-request';
import { safeExcerpt } from '../terminal/safe-text';
import type { Terminal } from '../terminal/terminal';

/** What a conversation is about: read and stored now, stored before, or what it was about so far. */
export async function chatCorpus(
  { say }: Terminal,
  { client }: Session,
  { paths, manifestRef, skipInvalid }: CheckedChat,
  conversationId: string,
): Promise<KnownCorpus> {
  if (manifestRef !== null) return client.corpus(manifestRef);
  if (paths.length > 0) {
    // The conversation holds them for as long as it is kept.
    const heldBy = conversationLog(conversationId);
    const opened = await client.openCorpus({ paths, skipInvalid }, { heldBy });
    for (const { message } of opened.warnings) say(`Warning: ${safeExcerpt(message, 300)}`);
    return client.corpus(opened.manifestRef);
  }
  const { turns, corpus } = await client.conversation(conversationId);
  if (corpus !== null) return client.corpus(corpus.manifestRef);
  throw new UsageError([
    turns.length === 0
      ? `--conversation ${conversationId}: nobody has asked anything under this id. Give --sources PATH to begin it.`
      : `--conversation ${conversationId}: what it was about is not kept any more. Give --sources PATH to go on with it.`,
  ]);
}
