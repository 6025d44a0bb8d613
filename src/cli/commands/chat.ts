import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';
import type { ChatOptions } from '../request/chat-request';
import { addAnswerOptions } from './answer';

const EXAMPLES = `
Each line is a question; /sources lists the sources, /quit or the end of the input leaves. Ctrl-C cancels the answer under
way, and a second one leaves. The sources are read once; --search looks for more with the words of each question. The
conversation is kept under its id: "delete conversation:ID" forgets it.

Examples:
  $ colligate chat --sources notes/
  $ colligate chat --conversation chat-20260131-120000-1a2b
  $ colligate chat --sources notes/ < questions.txt
  $ colligate chat --search openalex --search-pages 5`;

export function addChatCommand(program: Command, context: CommandContext): void {
  const command = addAnswerOptions(
    program
      .command('chat')
      .summary('a conversation about sources, in the terminal')
      .description(
        'Answers one question after the other from the same sources, each in the light of those before.',
      ),
  ).addHelpText('after', EXAMPLES);
  answerWith(command, context, (options: ChatOptions) => chat(context, options));
}

async function chat(context: CommandContext, options: ChatOptions): Promise<ExitCode> {
  // Only now, so that other commands and help come at once.
  const { checkChatRequest } = await import('../request/chat-request.js');
  const request = await checkChatRequest(options, context);
  const { runChat } = await import('../run-chat.js');
  return runChat(context, request);
}
