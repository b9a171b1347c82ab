/** Where secrets come from. */
export interface SecretStore {
  /** The value of a secret; undefined where no place has one. */
  read(id: string): Promise<string | undefined>;
  /** Where `read` looks for it, in order, in words for people. */
  places(id: string): readonly string[];
  /** The values that were read so far, so that masking knows what to hide. */
  known(): readonly string[];
}
