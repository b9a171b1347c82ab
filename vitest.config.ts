import { defineConfig } from 'vitest/config';

/** Tests read the sources of the packages, not what was built from them: a stale build cannot make them pass. */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  // A package below the provider packages has a condition of the same name, which leads to TypeScript that Node cannot load by itself.
  test: {
    server: { deps: { inline: [/@ai-sdk\//, /eventsource-parser/] } },
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
