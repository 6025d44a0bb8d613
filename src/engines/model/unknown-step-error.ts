/** The engine has no way to carry out a step of this name. */
export class UnknownStepError extends Error {
  override readonly name = 'UnknownStepError';

  constructor(step: string) {
    super(`The openai engine has no step "${step}".`);
  }
}
