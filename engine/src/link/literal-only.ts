/** Parameters that carry authority: the registry takes them from `tool_config` only. */
export const LITERAL_ONLY: ReadonlySet<string> = new Set(['root', 'credential_ref', 'credentials', 'endpoint', 'provider', 'secret_env']);
