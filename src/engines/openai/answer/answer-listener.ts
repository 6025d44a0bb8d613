import { ThinkingFilter } from '../../model/port/thinking';

export class AnswerListener {
  readonly #onText: ((text: string) => void) | null;
  readonly #thinking = new ThinkingFilter();
  #failure: { error: unknown } | null = null;
  #parts: string[] = [];

  constructor(onText: ((text: string) => void) | null) {
    this.#onText = onText;
  }

  /** What has come of the answer, thinking included. */
  get heard(): string {
    return this.#parts.join('');
  }

  /** Whether this is what the listener threw, and not a failure of the call. */
  threw(error: unknown): boolean {
    return this.#failure !== null && this.#failure.error === error;
  }

  push(text: string): void {
    this.#parts.push(text);
    this.#tell(this.#thinking.push(text));
  }

  end(): void {
    this.#tell(this.#thinking.end());
  }

  #tell(visible: string): void {
    if (visible === '' || this.#onText === null) return;
    try {
      this.#onText(visible);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}
