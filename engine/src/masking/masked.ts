/** Stands where a credential was. */
export const MASKED = '[masked]';
