import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Of a platform's start, most is reading its modules: every process of a run finds what they compile to (ADR 144). */
process.env.NODE_COMPILE_CACHE ??= resolve('.cache/compile')

/** Every file runs in its own process: an embedded engine and an embedded log each own one folder per process. */
export default defineConfig({
  test: {
    include: ['tests/{unit,contract,e2e,chaos}/**/*.test.ts'],
    globalSetup: ['tests/setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 90_000,
    hookTimeout: 240_000,
  },
})
