export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
