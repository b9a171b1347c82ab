import type { KnownSecrets } from './known-secrets.js';
import { maskStream } from './mask-stream.js';
import type { TextStream } from './text-stream.js';

/** For text that is shown while it comes: known values are replaced, then whatever looks like a credential. */
export function maskedStream(secrets: KnownSecrets, receive: (text: string) => void): TextStream {
  const patterns = maskStream(receive);
  const known = secrets.stream(patterns.push);
  return {
    push: known.push,
    end() {
      known.end();
      patterns.end();
    },
  };
}
