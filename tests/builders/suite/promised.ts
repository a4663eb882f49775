import { expect, test } from 'vitest'

/**
 * Registers tests over servers that variables of the environment name. Where one is missing there is one test instead: it
 * is skipped, and fails in CI, which promises them.
 */
export function promised<K extends string>(names: readonly K[], register: (named: Record<K, string>) => void): void {
  const missing = names.filter((name) => !process.env[name])
  if (missing.length === 0) register(process.env as Record<K, string>)
  else test.skipIf(!process.env.CI)(`${names.join(' and ')} name servers`, () => expect(missing).toEqual([]))
}
