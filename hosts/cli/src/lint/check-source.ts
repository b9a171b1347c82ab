import { builtinTools, compile, compileAgentFile, type Diagnostic, type SourceText } from '@relavium/engine';
import { parseConfig } from '@relavium/host-node';
import type { Project } from '../project/open-project.js';

export interface Checked {
  readonly diagnostics: readonly Diagnostic[];
  /** The file and the ones that it uses. */
  readonly sources: readonly SourceText[];
}

/** All findings about one file; its name says which kind it is. */
export function checkSource(source: SourceText, { reader }: Project): Checked {
  if (source.path.endsWith('.toml')) {
    const { problems } = parseConfig(source, source.path.endsWith('config.toml') ? 'home' : 'project');
    return { diagnostics: problems, sources: [source] };
  }
  if (source.path.endsWith('.agent.yaml')) return compileAgentFile(source, { reader, tools: builtinTools });
  return compile(source, { reader, tools: builtinTools });
}
