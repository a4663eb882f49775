import { defineConfig } from 'vitest/config'

/** Every file runs in its own process: an embedded engine and an embedded log each own one folder per process. */
export default defineConfig({
  test: {
    include: ['tests/{unit,contract,e2e,chaos}/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
