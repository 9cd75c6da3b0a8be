// The whole page in Chromium: npm run e2e (scripts/check_web.sh checks before that all is built).
import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/**/*.e2e.ts'],
    globalSetup: 'e2e/support/setup.ts',
    // One browser at a time: some of the tests measure.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    retry: 0,
    reporters: 'verbose',
    disableConsoleIntercept: true,
  },
});
