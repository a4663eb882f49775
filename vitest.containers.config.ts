import { mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The same tests, with every server that a container engine can start (tests/containers). */
export default mergeConfig(base, { test: { globalSetup: ['tests/containers/setup.ts'] } })
