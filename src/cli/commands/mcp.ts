import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';
import { setOption } from './set-option';

export function addMcpCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('mcp')
    .summary('tools for agents, on standard input and output')
    .description(
      'Serves the tools start_report, ask, status, result, evidence and verify by the Model Context Protocol, to the program ' +
        'that starts it. Workers carry the runs out: start one with "worker" or "dev".',
    )
    .addOption(setOption())
    .addHelpText(
      'after',
      '\nExample, for a program that starts tools:\n  { "command": "colligate", "args": ["mcp"] }',
    );
  answerWith(command, context, async (options: { set?: string[] }): Promise<ExitCode> => {
    const { serveMcp } = await import('../session/serve-mcp.js');
    const config = await context.loadConfigWithModels({ set: options.set }, { mayLoad: false });
    return serveMcp(context, config);
  });
}
