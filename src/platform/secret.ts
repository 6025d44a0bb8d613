import { inspect } from 'node:util';

/** A value that logs, JSON and error messages show as `(hidden)`. Only `reveal` gives it out. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '(hidden)';
  }

  toJSON(): string {
    return '(hidden)';
  }

  [inspect.custom](): string {
    return '(hidden)';
  }
}
