import { showControls } from '@relavium/engine';

/** Names a few of the paths that changed, in one line. */
export function changedLine(paths: readonly string[]): string {
  const named = paths.slice(0, 4).map((path) => showControls(path).replaceAll('\n', ' '));
  const more = paths.length - named.length;
  return `changed   ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
