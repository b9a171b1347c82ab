/** Secrets that the host keeps, by id. */
export interface Secrets {
  /** Undefined where no place has one. */
  read(id: string): Promise<string | undefined>;
  /** Where `read` looks for it, in order, in words for people. */
  places(id: string): readonly string[];
}

/** How an author names a secret: an id of the host's store, or a secret input of the run. */
export type SecretSource = string | { readonly input: string };
