import { DOCUMENT_FORMATS, type DocumentFormat } from '../document-formats';
import { PARSE_LIMITS, type ParseLimits } from './parse-limits';
import type { JoinedDocuments } from './parsed-document';
import { type Ended, type ParserProcess, startParserProcess } from './parser-process';

/** Parses documents in processes of their own; the bytes are all that they are given. */
export interface DocumentParser {
  parse(format: DocumentFormat, bytes: Uint8Array): Promise<JoinedDocuments>;
  close(): Promise<void>;
}

/** Processes start with the first documents, at most `most` of them, and are used again as long as they are healthy. */
export function createDocumentParser(
  limits: Partial<ParseLimits> = {},
  { most = 1 }: { most?: number } = {},
): DocumentParser {
  const allowed = { ...PARSE_LIMITS, ...limits };
  const idle: ParserProcess[] = [];
  const alive = new Set<ParserProcess>();
  const waiting: (() => void)[] = [];
  let busy = 0;
  const takeIdle = (): ParserProcess | undefined => {
    const parser = idle.pop();
    return parser === undefined || parser.isHealthy() ? parser : takeIdle();
  };
  return {
    async parse(format, bytes) {
      while (busy >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      busy += 1;
      try {
        const parser = takeIdle() ?? (await startParserProcess(allowed));
        alive.add(parser);
        const outcome = await parser.parse(format, bytes);
        if (parser.isHealthy()) idle.push(parser);
        else {
          await parser.end();
          alive.delete(parser);
        }
        return 'why' in outcome ? { ok: false, message: whyEnded(outcome, format, allowed) } : outcome;
      } finally {
        busy -= 1;
        waiting.shift()?.();
      }
    },
    async close() {
      idle.length = 0;
      await Promise.all([...alive].map((parser) => parser.end()));
    },
  };
}

function whyEnded({ why, part }: Ended, format: DocumentFormat, limits: ParseLimits): string {
  const { called, part: partName } = DOCUMENT_FORMATS[format];
  const [ms, partMs] = [limits.ms, limits.partMs].map((time) => (time / 1_000).toLocaleString('en'));
  switch (why) {
    case 'too-slow-a-part':
      return `${partName} ${part} of the ${called} was not read within ${partMs} seconds; save it anew, or without that ${partName}`;
    case 'too-slow':
      return `the ${called} was not read within ${ms} seconds; split it into parts, or save it anew`;
    case 'too-large':
      return `the ${called} takes more memory than there is for one; split it into parts, or save it anew`;
    case 'crashed':
      return `the ${called} ended the program that reads it; save it anew from what it was made of`;
  }
}
