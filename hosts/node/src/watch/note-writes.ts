import type { FileSystem } from '@relavium/engine';

/** The same files; each write is announced before it, and the path that was written is told after it. */
export function noteWrites(fs: FileSystem, writing: () => (path: string | undefined) => void): FileSystem {
  return {
    ...fs,
    within: (scope) => noteWrites(fs.within(scope), writing),
    async write(request, call) {
      const end = writing();
      let written: string | undefined;
      try {
        const result = await fs.write(request, call);
        written = result.path;
        return result;
      } finally {
        end(written);
      }
    },
  };
}
