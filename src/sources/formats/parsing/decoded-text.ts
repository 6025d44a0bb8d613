const OLD = 'windows-1252';

/** Text by its mark, else in UTF-8, and where it is none in what it says itself that it is written in. */
export function decodedText(bytes: Uint8Array, declared: string | null = null): string {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  if (mark === 'fffe') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 'feff') return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodedAs(declared ?? OLD, bytes);
  }
}

function decodedAs(label: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder(OLD).decode(bytes); // a name that nobody knows
  }
}
