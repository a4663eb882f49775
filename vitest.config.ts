import { resolve } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { SlowestFirst } from './tests/runner/sequencer.ts'
import { ON_SERVERS } from './tests/runner/stages.ts'

/** Of a platform's start, most is reading its modules: every process of a run finds what they compile to (ADR 285). */
process.env.NODE_COMPILE_CACHE ??= resolve('.cache/compile')

/** Soaks, and models at their whole size: `make test-long` runs them. Each has a short test in `make test` for its promise. */
const LONG = 'tests/**/*.long.test.ts'
const exclude = [...configDefaults.exclude, LONG]
const setupFiles = ['tests/builders/failure/last-words.ts']

export default defineConfig({
  test: {
    globalSetup: ['tests/runner/setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // A question takes the processors from what is waited for; by default one is asked every 50 ms.
    expect: { poll: { interval: 150 } },
    sequence: { sequencer: SlowestFirst },
    projects: [
      // Reading the modules of the API again for every file took more time than the tests (ADR 285).
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], exclude, isolate: false } },
      // An embedded engine and an embedded log each own one folder per process: every file has a process of its own.
      {
        extends: true,
        test: {
          name: 'platform',
          include: ['tests/{contract,e2e,chaos}/**/*.test.ts'],
          exclude: [...exclude, ...ON_SERVERS],
          setupFiles,
        },
      },
      { extends: true, test: { name: 'servers', include: [...ON_SERVERS], setupFiles } },
      { extends: true, test: { name: 'long', include: [LONG], setupFiles } },
    ],
  },
})
