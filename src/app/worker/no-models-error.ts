export class NoModelsError extends Error {
  override readonly name = 'NoModelsError';
  constructor() {
    super(
      'This worker is to ask models alone (worker.roles), and no endpoint with models is configured. ' +
        'Set OPENAI_BASE_URL, COLLIGATE_MODEL_FAST and COLLIGATE_MODEL_STRONG, or give it another role.',
    );
  }
}
