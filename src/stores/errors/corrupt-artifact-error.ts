/** What is stored under a reference is not the text that the reference names. */
export class CorruptArtifactError extends Error {
  override readonly name = 'CorruptArtifactError';
  constructor(
    readonly ref: string,
    options?: ErrorOptions,
  ) {
    super(
      `The artifact ${ref} is damaged: what is stored does not match its SHA-256. ` +
        'Delete the runs that hold it and start them again; check the disk.',
      options,
    );
  }
}
