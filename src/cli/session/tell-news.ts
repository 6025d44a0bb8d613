import type { News, Tell } from '../../app/session/news';
import type { SayLogLine } from '../../app/worker/worker-runtime';
import { safeExcerpt } from '../terminal/safe-text';
import type { Terminal } from '../terminal/terminal';

const LOG_LINE_CHARS = 500;

export function tellOn(terminal: Terminal): Tell {
  return (news) => {
    // A server may die while a progress line is drawn; the rest happens before or after that.
    if (news.what === 'server-state') terminal.interject(news.line);
    else terminal.say(inWords(news));
  };
}

/** Shows a worker's log as lines for people, which may come while a progress line is drawn. */
export function logOn({ interject }: Terminal): SayLogLine {
  return (line) => interject(safeExcerpt(line, LOG_LINE_CHARS));
}

function inWords(news: News): string {
  switch (news.what) {
    case 'server-prepared':
    case 'server-state':
      return news.line;
    case 'server-started':
      return `No Temporal server is running: an embedded one at ${news.address} and a worker in this process do the run.`;
    case 'server-was-left':
      return `A command that was killed had left the Temporal server at ${news.address} running: this one uses it, and stops it at its end.`;
    case 'server-stays':
      return `The Temporal server at ${news.address} stays: other commands use it.`;
    case 'no-search-attributes':
      return `The Web UI cannot filter runs by pass and status: ${news.reason}.`;
  }
}
