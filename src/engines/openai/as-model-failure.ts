import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { ConnectionFailure } from './connection-failure';
import { Complaint, complaintIn } from './endpoint/endpoint-complaint';
import { EndpointComplaintError } from './endpoint/endpoint-complaint-error';
import { kindOfComplaint } from './endpoint/endpoint-complaint-kind';
import { contextWindowIn } from './endpoint/endpoint-context-window';
import { safeEndpointText, type Confidential } from './endpoint/endpoint-text';
import type { SchemaRung } from '../model/port/model-client';
import { mayPass, ModelFailure, type ModelFailureKind } from '../model/port/model-failure';
import { failureMessage, type AskedOf } from './failure-message';
import { retryAfterInText, retryAfterMs } from './retry-after';
import { WebPageError } from './web-page-error';

/** The call that failed: what it is named by, what of it must not be repeated, and when it is. */
export interface FailedCall extends AskedOf, Confidential {
  rung: SchemaRung | null;
  nowMs: number;
}

const UNKNOWN_CALL: AskedOf = { address: 'The endpoint', model: '', hasKey: true };

/** Certificates and protocols do not mend themselves. */
const LASTING_CONNECTION_CODES = /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|^ERR_(?:SSL|TLS)|^EPROTO$/;

/**
 * The one mapping of what a call can throw to a failure. It goes by class: the library's connection errors have no
 * status and the name `Error`. Without the call that failed, what the endpoint says is not repeated, because it could
 * be the request. Whether a call was cancelled is for the caller to see first.
 */
export function asModelFailure(error: unknown, call?: FailedCall): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (error instanceof EndpointComplaintError) return complaintFailure(error.complaint, new Headers(), call);
  if (error instanceof ConnectionFailure) return connectionFailure(error, call);
  if (error instanceof WebPageError) {
    const message = `${(call ?? UNKNOWN_CALL).address} answers with a web page and not as an API: check OPENAI_BASE_URL, which often ends in /v1.`;
    return new ModelFailure('bad-request', message);
  }
  if (error instanceof APIConnectionError) {
    if (error.cause instanceof ModelFailure) return error.cause;
    if (error.cause instanceof ConnectionFailure) return connectionFailure(error.cause, call);
    return plainFailure(error instanceof APIConnectionTimeoutError ? 'timeout' : 'unreachable', call);
  }
  if (error instanceof APIError) {
    // The library's types leave open what a status, headers and a body are.
    const status: unknown = error.status;
    const headers: unknown = error.headers;
    const body: unknown = error.error;
    const known = Complaint.safeParse(body);
    return complaintFailure(
      known.success ? known.data : complaintIn(typeof status === 'number' ? status : null, { error: body }),
      headers instanceof Headers ? headers : new Headers(),
      call,
    );
  }
  const name = error instanceof Error ? error.name : typeof error;
  return new ModelFailure('malformed-response', `The call to the model failed with a ${name}.`, {
    retryable: false,
  });
}

/** The complaint in what a call threw, or null. */
export function complaintOfError(error: unknown): Complaint | null {
  if (error instanceof EndpointComplaintError) return error.complaint;
  if (!(error instanceof APIError)) return null;
  const known = Complaint.safeParse(error.error);
  return known.success ? known.data : null;
}

function complaintFailure(
  complaint: Complaint,
  headers: Headers,
  call: FailedCall | undefined,
): ModelFailure {
  const kind = kindOfComplaint(complaint, call?.rung ?? null);
  const retryable = mayPass(kind);
  const contextWindow = kind === 'context-length' ? contextWindowIn(complaint) : null;
  const { status } = complaint;
  const says = call ? safeEndpointText(complaint.message, call) : '';
  const message = failureMessage(kind, call ?? UNKNOWN_CALL, { status, contextWindow });
  return new ModelFailure(kind, says === '' ? message : `${message} It says: ${says}`, {
    retryable,
    status,
    contextWindow,
    retryAfterMs: retryable
      ? (retryAfterMs(headers, call?.nowMs ?? Date.now()) ?? retryAfterInText(complaint.words))
      : null,
  });
}

function connectionFailure(failure: ConnectionFailure, call: FailedCall | undefined): ModelFailure {
  const { address } = call ?? UNKNOWN_CALL;
  if (failure.code.startsWith('HPE_') || failure.code.startsWith('HTTP ')) {
    return new ModelFailure('malformed-response', `${address} does not answer in HTTP (${failure.code}).`);
  }
  if (LASTING_CONNECTION_CODES.test(failure.code)) {
    const message = `There is no secure connection to ${address} (${failure.code}): check the address, and its certificate.`;
    return new ModelFailure('unreachable', message, { retryable: false });
  }
  const message = failureMessage('unreachable', call ?? UNKNOWN_CALL, { status: null, contextWindow: null });
  return new ModelFailure('unreachable', `${message} (${failure.code})`);
}

function plainFailure(kind: ModelFailureKind, call: FailedCall | undefined): ModelFailure {
  return new ModelFailure(
    kind,
    failureMessage(kind, call ?? UNKNOWN_CALL, { status: null, contextWindow: null }),
  );
}
