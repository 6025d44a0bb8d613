import type { Complaint } from './endpoint-complaint';

/** A complaint that came in the place of an answer, with a status that says all is well. */
export class EndpointComplaintError extends Error {
  override readonly name = 'EndpointComplaintError';

  constructor(readonly complaint: Complaint) {
    super('The endpoint answered with an error');
  }
}
