import { z } from 'zod';
import { Answer } from '../src/contracts/answer';
import { Brief } from '../src/contracts/brief';
import { RunEventBody } from '../src/contracts/event';
import { GivenOutline } from '../src/contracts/outline';
import { Report } from '../src/contracts/report';
import {
  AddSources,
  ContentPart,
  ContentStart,
  MessageResult,
  OutlineAnswer,
  PlainMessage,
  Progress,
  RunMemo,
  RunOutcome,
  RunUsage,
  SetOutline,
  SteeringAnswer,
} from '../src/contracts/run';
import { PreviousRun, WebhookStart } from '../src/contracts/run-input';
import { AnswerStart, BriefStart, ReportStart, ScheduledStart } from '../src/contracts/start';
import { VerifiedReport } from '../src/contracts/verified-report';

/** The folder of the published schemas, from the root. */
export const SCHEMA_FOLDER = 'src/contracts/schemas';

const CONTRACTS: readonly { file: string; contract: z.ZodType }[] = [
  { file: 'report-start.json', contract: ReportStart },
  { file: 'run-outcome.json', contract: RunOutcome },
  { file: 'progress.json', contract: Progress },
  { file: 'outline-answer.json', contract: OutlineAnswer },
  { file: 'run-usage.json', contract: RunUsage },
  { file: 'run-memo.json', contract: RunMemo },
  { file: 'set-outline.json', contract: SetOutline },
  { file: 'given-outline.json', contract: GivenOutline },
  { file: 'add-sources.json', contract: AddSources },
  { file: 'plain-message.json', contract: PlainMessage },
  { file: 'message-result.json', contract: MessageResult },
  { file: 'steering-answer.json', contract: SteeringAnswer },
  { file: 'event.json', contract: RunEventBody },
  { file: 'report.json', contract: Report },
  { file: 'verified-report.json', contract: VerifiedReport },
  { file: 'answer-start.json', contract: AnswerStart },
  { file: 'answer.json', contract: Answer },
  { file: 'brief-start.json', contract: BriefStart },
  { file: 'brief.json', contract: Brief },
  { file: 'scheduled-start.json', contract: ScheduledStart },
  { file: 'content-start.json', contract: ContentStart },
  { file: 'content-part.json', contract: ContentPart },
  { file: 'run-before.json', contract: PreviousRun },
  { file: 'webhook-start.json', contract: WebhookStart },
];

/** Each published file with its text: what may be given, and what comes out, to which later versions may add fields. */
export function publishedSchemas(): { file: string; text: string }[] {
  return CONTRACTS.map(({ file, contract }) => ({
    file,
    text: `${JSON.stringify(z.toJSONSchema(contract, { io: 'input' }), null, 2)}\n`,
  }));
}

/** The OpenAPI document as it is published. Its schemas are sorted, because the order in which modules load would decide. */
export function openApiText(document: object): string {
  const { components } = document as { components?: { schemas?: Record<string, unknown> } };
  const schemas = Object.fromEntries(
    Object.entries(components?.schemas ?? {}).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return `${JSON.stringify({ ...document, components: { ...components, schemas } }, null, 2)}\n`;
}
