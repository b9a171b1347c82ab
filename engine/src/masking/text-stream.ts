/** Takes text in pieces and passes it on; `end` passes on what was held back. */
export interface TextStream {
  push(text: string): void;
  end(): void;
}
