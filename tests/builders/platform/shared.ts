import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { type Platform, remove, startPlatform, temporaryFolder } from './platform.ts'

/**
 * A platform of several parts. Whoever ends it and starts it again does so with `env` and sets `platform`.
 * `env`: once it runs. `folder`: its data, with room for files of tests.
 */
export type Shared = { readonly folder: string; env: Record<string, string>; platform: Platform }

/** Registers tests. What it reports, later parts find: one that counts everything is the first. */
export type Part = (shared: Shared) => void

/**
 * One platform for several parts of a test file, one after the other: a start takes seconds.
 * @param parts by their titles
 * @param env given a folder for files that it names
 */
export function onOnePlatform(
  parts: Record<string, Part>,
  env: (place: string) => Record<string, string> | Promise<Record<string, string>> = () => ({}),
) {
  const place = temporaryFolder()
  const shared = { folder: join(place, 'data') } as Shared
  beforeAll(async () => {
    shared.env = await env(place)
    shared.platform = await startPlatform(shared.folder, shared.env)
  })
  afterAll(async () => {
    await shared.platform?.stop()
    remove(place)
  })
  for (const [title, part] of Object.entries(parts)) describe(title, () => part(shared))
}
