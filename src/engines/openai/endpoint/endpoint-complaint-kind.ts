import complaints from './data/complaints.json';
import type { Complaint } from './endpoint-complaint';
import { isTooLong } from './endpoint-context-window';
import type { SchemaRung } from '../../model/port/model-client';
import type { ModelFailureKind } from '../../model/port/model-failure';

const WRONG_KEY = new RegExp(complaints.wrongKey.join('|'));
const NO_QUOTA = new RegExp(complaints.noQuota.join('|'));

/** Also what one endpoint says when a minute's requests are used up; then it says when to come back. */
const MAYBE_NO_QUOTA = /exceeded your current quota/;

const FILTERED = new RegExp(complaints.filtered.join('|'));
const SCHEMA = new RegExp(complaints.schema.join('|'));
const UNKNOWN_MODEL = new RegExp(complaints.unknownModel.join('|'));
const OVERLOADED = new RegExp(complaints.overloaded.join('|'));

const RATE_LIMITED = /rate[_ ]?limit|too many requests|resource_exhausted/;

const INVALID_REQUEST = /invalid_request|bad ?request|validation/;

const EMPTY_WORDS = new RegExp(String.raw`^\W*(?:(?:${complaints.nothing.join('|')})\W*)*$`);

/** Statuses that speak of the connection, the key or the load, and never of what was asked. */
const NEVER_THE_SCHEMA = [401, 402, 403, 408, 429];

export function kindOfComplaint(complaint: Complaint, rung: SchemaRung | null): ModelFailureKind {
  const { status, words } = complaint;
  if (status === 401 || (WRONG_KEY.test(words) && !isServers(status))) return 'wrong-key';
  if (status === 402 || (NO_QUOTA.test(words) && !isServers(status))) return 'quota-exceeded';
  if (MAYBE_NO_QUOTA.test(words) && !words.includes('retrydelay')) return 'quota-exceeded';
  if (status === 413 || isTooLong(complaint)) return 'context-length';
  if (FILTERED.test(words)) return 'content-filter';
  if (status === 403) return 'wrong-key';
  if (isAboutSchema(complaint, rung)) return 'schema-rejected';
  if (isAboutModel(complaint)) return 'unknown-model';
  if (status !== null) return kindOfStatus(status);
  if (RATE_LIMITED.test(words)) return 'rate-limited';
  if (OVERLOADED.test(words)) return 'overloaded';
  return INVALID_REQUEST.test(words) ? 'bad-request' : 'server-error';
}

export function isUnexplained(complaint: Complaint): boolean {
  return EMPTY_WORDS.test(complaint.words);
}

export function isAboutModel(complaint: Complaint): boolean {
  return !isServers(complaint.status) && UNKNOWN_MODEL.test(complaint.words);
}

/**
 * Where nothing is explained a client's fault is taken for the schema's, because that is what endpoints differ in; a
 * server's fault is not.
 */
function isAboutSchema(complaint: Complaint, rung: SchemaRung | null): boolean {
  const { status, words } = complaint;
  if (rung === null || rung === 'prompt-only') return false;
  if (status !== null && NEVER_THE_SCHEMA.includes(status)) return false;
  if (SCHEMA.test(words)) return true;
  return (status === 400 || status === 422) && isUnexplained(complaint);
}

function kindOfStatus(status: number): ModelFailureKind {
  if (status === 408 || status === 504 || status === 524) return 'timeout';
  if (status === 429) return 'rate-limited';
  if ([409, 425, 503, 529].includes(status)) return 'overloaded';
  return status >= 500 ? 'server-error' : 'bad-request';
}

function isServers(status: number | null): boolean {
  return status !== null && status >= 500;
}
