import { NoServerError } from '../app/app-errors';
import { type Session, watchWorkers } from '../app/session';
import { RunKindError } from '../client/client-errors';
import type { ClosedRun, RunHandle } from '../client/run-handle';
import type { RunEvent } from '../contracts/event';
import type { RunKind } from '../contracts/run';
import { passLine } from '../contracts/run-protocol';
import { CLOSED_STATUSES, runSnapshot } from '../contracts/run-status';
import { runTexts } from '../contracts/wording';
import {
  COMMAND,
  type CommandContext,
  ExitCode,
  exitCodeOfRun,
  listenForStop,
  quoteRunId,
  runIdProblems,
  UsageError,
} from './command-context';
import { exitImmediately, openCommandSession, workersLine } from './command-session';
import { deliverBrief, deliverReport } from './delivery';
import { pollProgress, waitingText } from './follow-run';
import { type ProgressDisplay, progressMilestone, showProgress } from './progress-display';
import { showAnswer } from './result-text';
import { prepareOutDir } from './run-files';
import {
  auditLine,
  createLiveAnswer,
  createPassageNumbers,
  createSectionView,
  createSourceNames,
  numberedTitle,
  type SectionViewOptions,
  type SourceNames,
} from './stream-view';
import { safeExcerpt, safeLine } from './terminal';

const CLOSING_EVENTS: readonly RunEvent['type'][] = ['citation-stats', 'run-completed', 'run-failed'];

export interface WatchOptions {
  out?: string;
  after?: number;
  json?: boolean;
  html?: boolean;
  texts?: string;
}

/** Prints events until the run ends. Leaving earlier does not stop the run. */
export async function watchRun(
  context: CommandContext,
  id: string,
  options: WatchOptions,
): Promise<ExitCode> {
  const problems = runIdProblems(id, 'ID');
  if (problems.length > 0) throw new UsageError(problems);
  const config = context.loadConfig({
    flags: { outDir: options.out, texts: options.texts },
  });
  if (options.out !== undefined) await prepareOutDir(config.outDir);
  const { terminal } = context;
  const signals = listenForStop(context.io.signals);
  signals.onSecond(() => exitImmediately(context, config));
  const leave = AbortSignal.any([signals.stopped, terminal.unread]);
  const session = await openCommandSession(context, config, {
    server: 'start-if-used-before',
    worker: 'none',
  });
  try {
    const run = session.client.run(id);
    const progress = await run.progress({ fromRecords: true });
    const json = options.json === true;
    const outDir = options.out === undefined ? null : config.outDir;
    if (progress.kind === 'answer' && options.out !== undefined)
      throw new RunKindError(id, 'answer', '--out is for reports and briefs; "show" prints an answer.');
    const isOpen = !CLOSED_STATUSES.has(progress.status);
    if (isOpen)
      terminal.say(
        `Run ${id}: ${runTexts.statuses[progress.status]} · ${progressMilestone(runSnapshot({ ...progress, status: 'running' }, null))}`,
      );
    if (isOpen && session.startedServer) {
      throw new NoServerError(
        `Run ${id} stands still: neither a server nor a worker was running. Start them with "${COMMAND} dev", then watch it.`,
      );
    }
    const ended = new AbortController();
    const over = AbortSignal.any([leave, ended.signal]);
    const display = isOpen ? showProgress(terminal.progressTarget, Date.now) : null;
    if (display !== null) {
      void watchWorkers(session, (unpolled) => display.note(workersLine(unpolled)), over);
      void pollProgress(run, display, { whatHelps: 'It is asked again.', look: () => undefined }, over);
    }
    over.addEventListener('abort', () => display?.end());
    const shown = await showEvents(context, run, {
      after: options.after ?? 0,
      json,
      leave,
      display,
      isAnswer: progress.kind === 'answer',
      names: () => namesOfRunSources(session, id, progress.kind),
    });
    const closed = leave.aborted ? null : await awaitClosed(run, leave);
    ended.abort();
    if (closed === null) {
      // The reader has left, as with `| head`: this is no error.
      if (!signals.stopped.aborted) return ExitCode.ok;
      terminal.say(`Run ${id} goes on. Watch it again with: ${COMMAND} watch ${quoteRunId(id)}`);
      return ExitCode.cancelled;
    }
    if (progress.kind === 'brief') {
      await deliverBrief(context, session, session.client.briefOf(id), closed, { outDir, json });
      return exitCodeOfRun(closed);
    }
    if (progress.kind === 'answer') {
      await showAnswer(context, session.client.answerOf(id), { json, claims: false, shown });
      return exitCodeOfRun(closed);
    }
    await deliverReport(context, session, run, closed, { outDir, json, html: options.html !== false });
    return exitCodeOfRun(closed);
  } finally {
    await session.close();
    signals.dispose();
  }
}

function namesOfRunSources({ client }: Session, id: string, kind: RunKind): SourceNames {
  if (kind === 'answer') return createPassageNumbers();
  const run = client.run(id);
  const brief = client.briefOf(id);
  return createSourceNames(async () => {
    const gathered = kind === 'brief' ? await brief.passResult('gather') : await run.passResult('gather');
    return gathered?.sources ?? null;
  });
}

/**
 * Reads events up to `after` too: they have the titles of sections and the beginnings of paragraphs. Returns
 * the text of an answer as far as it was shown completely, else an empty string.
 */
async function showEvents(
  { terminal }: CommandContext,
  run: RunHandle,
  {
    after,
    json,
    leave,
    display,
    isAnswer,
    names: namesOfRun,
  }: {
    after: number;
    json: boolean;
    leave: AbortSignal;
    display: ProgressDisplay | null;
    isAnswer: boolean;
    names: () => SourceNames;
  },
): Promise<string> {
  const print = (line: string): void => {
    display?.giveWay();
    if (json) terminal.say(line);
    else terminal.print(line);
  };
  let names = namesOfRun();
  const answer = createLiveAnswer();
  const view = createEventView({
    nameOf: (sourceId) => safeLine(names.nameOf(sourceId)),
    emphasise: (json ? terminal.errorColours : terminal.colours).bold,
    width: json ? Number.POSITIVE_INFINITY : terminal.width,
  });
  for await (const event of run.events({ signal: leave })) {
    if (event.type === 'multi-pass-phase') await names.load();
    if (isAnswer && event.type === 'section-restarted') names = namesOfRun();
    answer.add(event);
    const lines = view.lines(event);
    if (event.number > after) lines.forEach(print);
    else view.skip();
  }
  if (!leave.aborted) view.end().forEach(print);
  return isAnswer && !json && after === 0 ? answer.shown() : '';
}

async function awaitClosed(run: RunHandle, leave: AbortSignal): Promise<ClosedRun | null> {
  try {
    return await run.waitUntilClosed({ signal: leave });
  } catch (error) {
    if (leave.aborted) return null;
    throw error;
  }
}

export interface EventView {
  lines(event: RunEvent): string[];
  end(): string[];
  skip(): void;
}

export function createEventView(options: Omit<SectionViewOptions, 'titleOf' | 'texts'>): EventView {
  let outline: { id: string; title: string }[] = [];
  const read = new Set<string>();
  let conflicts = 0;
  let textAbove = false;

  const titleOf = (section: string): string => numberedTitle(outline, section);
  const sections = createSectionView({ ...options, titleOf });

  function linesOf(event: RunEvent): string[] {
    if (event.type === 'outline-generated') outline = event.payload.sections;
    if (event.type === 'deep-dive-section') read.add(event.payload.sectionId);
    if (event.type === 'conflict-detected') conflicts += 1;
    return eventLines(event, {
      titleOf,
      nameOf: options.nameOf,
      sections: { read: read.size, of: Math.max(outline.length, read.size) },
      conflicts,
    });
  }

  return {
    lines(event) {
      const text = CLOSING_EVENTS.includes(event.type) ? sections.rest() : sections.lines(event);
      const lines = linesOf(event);
      textAbove ||= text.length > 0;
      if (lines.length === 0) return text;
      sections.interrupt();
      const gap = textAbove ? [''] : [];
      textAbove = false;
      return [...text, ...gap, ...lines];
    },
    end: () => sections.rest(),
    skip() {
      sections.interrupt();
      textAbove = false;
    },
  };
}

interface EventContext {
  titleOf: (section: string) => string;
  nameOf: (sourceId: string) => string;
  sections: { read: number; of: number };
  conflicts: number;
}

/** Empty for texts of sections, which come in pieces. */
function eventLines(event: RunEvent, scene: EventContext): string[] {
  const told = (text: string, chars: number): string => safeExcerpt(text, chars);
  switch (event.type) {
    case 'run-started': {
      const { question, sources, engine } = event.payload;
      return [runTexts.begun(safeExcerpt(question, 200)), `  ${runTexts.given(sources, engine)}`];
    }
    case 'multi-pass-phase':
      return [safeLine(passLine({ number: event.payload.pass, message: event.payload.message }))];
    case 'outline-generated':
      return [
        `  ${runTexts.outline(told(event.payload.overallTheme, 200))}`,
        ...event.payload.sections.map(
          (section, index) =>
            `    ${index + 1}. ${told(section.title, 100)} (${runTexts.sources(section.sources)})`,
        ),
      ];
    case 'deep-dive-section': {
      const { sectionId, findings, sourcesUsed } = event.payload;
      return [`  ${runTexts.read(scene.titleOf(sectionId), findings, sourcesUsed, scene.sections)}`];
    }
    case 'conflict-detected': {
      const { topic, sources } = event.payload;
      const names = safeExcerpt(sources.map((id) => scene.nameOf(id)).join('; '), 200);
      return [`  ${runTexts.conflict(scene.conflicts, told(topic, 120), sources.length, names)}`];
    }
    case 'citation-stats': {
      const percent = Math.round(event.payload.coverage * 100);
      return [`  ${runTexts.cited(event.payload.total, percent)}`];
    }
    case 'audit':
      return [`  ${auditLine(event.payload, scene.titleOf)}`];
    case 'content-chunk':
    case 'section-restarted':
    case 'section-written':
    case 'scheduled-run':
      return [];
    case 'revision':
      return [`  ${runTexts.revised(scene.titleOf(event.payload.section), told(event.payload.reason, 200))}`];
    case 'synthesis_mode_activated':
      return [`  ${runTexts.broughtTogether(event.payload.passages, event.payload.source_doc_count)}`];
    case 'synthesis-mode':
      return [`  ${runTexts.broughtTogether(event.payload.passages, event.payload.documents)}`];
    case 'attempt': {
      const { attempt, decision, reason } = event.payload;
      return [`  ${runTexts.attempt(attempt, decision, safeLine(reason))}`];
    }
    case 'judge': {
      const { version, overall, passed } = event.payload;
      return [`  ${runTexts.judged(version, overall, passed)}`];
    }
    case 'warning':
      return [`  ${runTexts.warning(told(event.payload.message, 300))}`];
    case 'run-waiting':
      return [`  ${waitingText(event.payload)}`];
    case 'run-parked':
      return [`  ${runTexts.parked(told(event.payload.reason, 300))}`];
    case 'run-goes-on':
      return [`  ${runTexts.goesOn}`];
    case 'steered':
      return [`  ${event.payload.message}: ${safeExcerpt(event.payload.said, 300)}`];
    case 'approval-awaited':
      return [`  ${runTexts.awaitsApproval}`];
    case 'approval-over':
      return [`  ${event.payload.by === 'approval' ? runTexts.approved : runTexts.notApproved}`];
    case 'run-completed':
      return [runTexts.ended(runTexts.statuses[event.payload.status])];
    case 'run-failed':
      return [runTexts.failed(told(event.payload.message, 500))];
  }
}
