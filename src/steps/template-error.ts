/** A prompt template names what its step does not offer, or leaves out what it does. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(
    readonly step: string,
    readonly unknown: readonly string[],
    readonly missing: readonly string[],
    offered: readonly string[],
  ) {
    const parts = [
      ...(unknown.length > 0 ? [`names ${unknown.join(', ')}, which the step does not offer`] : []),
      ...(missing.length > 0 ? [`leaves out ${missing.join(', ')}`] : []),
    ];
    super(`The template of step ${step} ${parts.join(', and ')}. It offers ${offered.join(', ')}.`);
  }
}
