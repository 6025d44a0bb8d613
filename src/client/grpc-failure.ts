import { isGrpcServiceError, ServiceError } from '@temporalio/client';

/** What gRPC says of a failed request to the server, which the client may have wrapped; null for any other error. */
export function grpcFailure(error: unknown): { code: number; details: string } | null {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) ? cause : null;
}

export function failedWith(error: unknown, codes: readonly number[]): boolean {
  const failure = grpcFailure(error);
  return failure !== null && codes.includes(failure.code);
}
