/**
 * What stands in the place of a payload that cannot be read: no bytes of JSON, an encoding that nobody knows, a key that is
 * not here. It fits no schema, so whatever takes a message refuses it in words.
 */
export class Unreadable {
  constructor(
    readonly reason: string,
    /** True where a worker with another key could read it. */
    readonly isEncrypted: boolean,
  ) {}
}
