/** The model endpoint cannot be used for a run. The command line answers it with exit code 3. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
}
