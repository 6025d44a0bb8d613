import path from 'node:path';
import type { Session } from '../../app/session/open-session';
import type { ClosedRun, ClosedStatus } from '../../client/run-handle';
import type { CommandContext } from '../command-context';
import { COMMAND } from '../package-files';
import { safeExcerpt } from '../terminal/safe-text';
import type { RunFiles } from './run-files';
import { runArgument } from './run-name';

/** Long enough for every problem of an input. */
const REASON_CHARS = 2_000;

interface LeftByRun {
  runId: string;
  closed: ClosedRun;
  what: 'report' | 'brief';
  /** Where it was written; null where nowhere. */
  files: RunFiles | null;
  /** Its title, and lines on what is in it; null where the run left nothing. */
  excerpt: string[] | null;
}

const ENDINGS: Record<ClosedStatus, (what: LeftByRun['what']) => string> = {
  completed: (what) => `The ${what} is in`,
  partial: (what) => `The ${what} is partial (its warnings say why). It is in`,
  cancelled: (what) => `The run was cancelled. Its partial ${what} is in`,
  failed: () => 'The run failed. What it had until then is in',
};

export function printLeft(context: CommandContext, session: Session, left: LeftByRun): void {
  const { terminal, io } = context;
  const here = (file: string): string => relativeTo(io.cwd, file);
  const { runId, closed, what, files, excerpt } = left;
  if (closed.status === 'failed')
    terminal.say(
      `Run ${runId} failed: ${safeExcerpt(closed.message ?? 'the server gives no reason', REASON_CHARS)}`,
    );
  if (excerpt === null) terminal.say(`Run ${runId}: ${closed.status}, and it left no ${what}.`);
  else {
    const [title = '', ...rest] = excerpt;
    terminal.print('');
    terminal.print(terminal.colours.bold(title));
    for (const line of rest) terminal.print(line);
    terminal.print('');
    if (files === null) terminal.print(`To read it: ${COMMAND} show ${runArgument(runId)}`);
    else {
      terminal.print(ENDINGS[closed.status](what));
      terminal.print(`  ${here(files.markdown)}   to read`);
      terminal.print(`  ${here(files.json)}   with the evidence of every claim`);
      if (files.html !== null)
        terminal.print(`  ${here(files.html)}   to look at in a browser: each claim with its passage`);
      if (files.setAside !== null)
        terminal.print(`  ${here(files.setAside)}   with what was set aside, and why`);
    }
  }
  printWhereToLook(context, session, runId);
}

/** An embedded server ends with the command, so its Web UI is only there again with `dev`. */
function printWhereToLook({ terminal }: CommandContext, session: Session, runId: string): void {
  const url = session.runUrl(runId);
  if (url === null) return;
  terminal.print(
    session.startedServer
      ? `To see the finished run in the Web UI: ${COMMAND} dev   then open ${url}`
      : `The finished run in the Web UI: ${url}`,
  );
}

function relativeTo(cwd: string, file: string): string {
  const relative = path.relative(cwd, file);
  return relative.startsWith('..') ? file : relative;
}
