import { ThinkingFilter } from './thinking';

/** Passes an answer's visible text on while it comes, and remembers what its listener threw. */
export class AnswerListener {
  readonly #onText: (text: string) => void;
  readonly #thinking = new ThinkingFilter();
  #failure: { error: unknown } | null = null;
  #heard = false;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  /** Some of the answer has come. */
  get heard(): boolean {
    return this.#heard;
  }

  /** Whether this is what the listener threw, and not a failure of the call. */
  threw(error: unknown): boolean {
    return this.#failure !== null && this.#failure.error === error;
  }

  push(text: string): void {
    this.#heard = true;
    this.#tell(this.#thinking.push(text));
  }

  end(): void {
    this.#tell(this.#thinking.end());
  }

  #tell(visible: string): void {
    if (visible === '') return;
    try {
      this.#onText(visible);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}
