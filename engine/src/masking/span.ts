/** Half-open range of a text that holds a credential. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds the spans of one family of shapes; they may overlap those of others. */
export type Recogniser = (text: string) => Span[];
