import type { NotifyArguments } from '@relavium/schemas/tools';
import type { CallContext } from './call-context.js';

/** What the desktop offers. */
export interface OperatingSystem {
  readClipboard(call: CallContext): Promise<string>;
  /** Resolves as soon as the notification is handed over. */
  notify(notification: NotifyArguments, call: CallContext): Promise<void>;
}
