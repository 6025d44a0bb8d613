import { TypedSearchAttributes } from '@temporalio/common';
import type { WorkflowStartOptions } from '@temporalio/client';
import type { RunKind } from '../../contracts/kinds';
import { ColligateKind, ColligatePass, ColligateStatus } from '../../temporal/search-attributes';
import { firstMemo, type GivenCounts } from '../../core/run/first-memo';
import { startSummary } from '../../core/run/start-summary';

/** A run as it is told to the server. */
export interface RunToStart<Input> {
  kind: RunKind;
  runId: string;
  taskQueue: string;
  /** Without white space at its ends. */
  question: string;
  startedAt: Date;
  given: GivenCounts;
  input: Input;
  /** What the Web UI shows of it beside its question, in Markdown. */
  details: string;
  /** Whether the server knows Colligate's search attributes. */
  searchAttributes: boolean;
}

/** What a workflow of any kind is started with; what is to happen to others of its id is the caller's to say. */
export function startOptions<Input>(run: RunToStart<Input>): WorkflowStartOptions & { args: [Input] } {
  const { kind, runId, taskQueue, question, startedAt, given, input, details } = run;
  return {
    workflowId: runId,
    taskQueue,
    args: [input],
    memo: { ...firstMemo(kind, question, startedAt, given) },
    staticSummary: startSummary(question),
    staticDetails: `${details}\n\nThe ${kind}, when there is one: \`colligate show ${runId}\``,
    ...(run.searchAttributes ? { typedSearchAttributes: firstSearchAttributes(kind) } : {}),
  };
}

function firstSearchAttributes(kind: RunKind): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: ColligateKind, value: kind },
    { key: ColligateStatus, value: 'queued' },
    { key: ColligatePass, value: 0 },
  ]);
}
