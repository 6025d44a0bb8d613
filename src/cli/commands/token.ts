import { type Command, Option } from 'commander';
import { z } from 'zod';
import { listTokens, makeToken, revokeToken } from '../../app/access/access-tokens';
import { Owner, type Scope, SCOPES } from '../../contracts/access/token';
import { shapeProblems } from '../../core/shapes/shape-problems';
import type { AccessStore } from '../../stores/access-store';
import { openStores } from '../../stores/open-stores';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { UsageError } from '../failures/usage-error';
import { numberOption } from '../request/number-option';
import { safeLine } from '../terminal/safe-text';
import { renderTable } from '../terminal/table';

const DAY_MS = 86_400_000;
const Days = z.int().min(1).max(3_650);
interface MakeOptions {
  scope: Scope;
  days?: string;
  json?: boolean;
}
const JSON_OPTION = 'print one JSON document on standard output';

export function addTokenCommand(program: Command, context: CommandContext): void {
  const token = program
    .command('token')
    .summary('who may come in by "serve"')
    .description(
      'Makes, lists and revokes the tokens that requests to "serve" need. They are kept in the store, hashed.',
    );
  const make = token
    .command('make')
    .summary('make a token, which is printed this once')
    .description('Makes a token for somebody, prints it, and keeps its hash alone.')
    .argument('<owner>', 'whose runs are seen and started with it')
    .addOption(new Option('--scope <scope>', 'what it allows').choices(SCOPES).default('run'))
    .option('--days <number>', 'how long it is one (default: until it is revoked)')
    .option('--json', JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ colligate token make ann --scope read --days 30');
  answerWith(make, context, (owner: string, options: MakeOptions) =>
    withAccess(context, async (access) => {
      const days =
        options.days === undefined
          ? undefined
          : numberOption({ flag: '--days', text: options.days, schema: Days });
      const problems = [
        ...shapeProblems([['OWNER', Owner, owner]]),
        ...(typeof days === 'object' ? [days.problem] : []),
      ];
      if (problems.length > 0) throw new UsageError(problems);
      const now = new Date();
      const expiresAt =
        typeof days === 'number' ? new Date(now.getTime() + days * DAY_MS).toISOString() : null;
      const { token: told, made } = await makeToken(access, { owner, scope: options.scope, expiresAt }, now);
      const { terminal } = context;
      if (options.json === true) terminal.printJson({ ...made, token: told });
      else {
        terminal.print(told);
        terminal.say(`Token ${made.id} of ${owner} may ${made.scope}. It is not shown again.`);
      }
      return ExitCode.ok;
    }),
  );
  const list = token
    .command('list')
    .summary('all tokens, without what lets anybody in')
    .description('Lists the tokens that are kept.')
    .option('--json', JSON_OPTION);
  answerWith(list, context, (options: { json?: boolean }) =>
    withAccess(context, async (access) => {
      const tokens = await listTokens(access);
      const { terminal } = context;
      if (options.json === true) terminal.printJson({ tokens });
      else if (tokens.length === 0) terminal.say('There are no tokens.');
      else {
        const rows = tokens.map(({ id, owner, scope, madeAt, expiresAt }) => [
          id,
          safeLine(owner),
          scope,
          madeAt,
          expiresAt ?? '',
        ]);
        for (const line of renderTable(['ID', 'OWNER', 'SCOPE', 'MADE', 'UNTIL'], rows, terminal.width))
          terminal.print(line);
      }
      return ExitCode.ok;
    }),
  );
  const revoke = token
    .command('revoke')
    .summary('end a token at once')
    .description(
      'Ends a token for all processes that share the store, also where somebody is reading with it.',
    )
    .argument('<id>', 'as "token list" has it');
  answerWith(revoke, context, (id: string) =>
    withAccess(context, async (access) => {
      if (!(await revokeToken(access, id)))
        throw new UsageError([`There is no token "${id}". "token list" has those that there are.`]);
      context.terminal.say(`Token ${id} is none any more.`);
      return ExitCode.ok;
    }),
  );
}

async function withAccess(
  context: CommandContext,
  use: (access: AccessStore) => Promise<ExitCode>,
): Promise<ExitCode> {
  const stores = await openStores(context.loadConfig());
  try {
    return await use(stores.access);
  } finally {
    await stores.close();
  }
}
