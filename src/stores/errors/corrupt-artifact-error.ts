/** What is stored under a reference is not the text that the reference names. */
export class CorruptArtifactError extends Error {
  override readonly name = 'CorruptArtifactError';
  constructor(
    readonly ref: string,
    options?: ErrorOptions,
  ) {
    super(
      `The artifact ${ref} is damaged: what is stored does not match its SHA-256. ` +
        'Import its source again where it is the text of one: that puts it right. Else delete the run that it is of and start it again; check the disk.',
      options,
    );
  }
}
