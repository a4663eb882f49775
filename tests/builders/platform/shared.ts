import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { later } from '../suite/during.ts'
import { ownFolder } from '../suite/own-folder.ts'
import { type Platform, startPlatform } from './platform.ts'

/**
 * A platform of several parts, to be used in tests and hooks. A part that ends it starts it again.
 * `env`: once it runs. `folder`: its data, with room for files of tests.
 */
export type Shared = {
  readonly folder: string
  env: Record<string, string>
  readonly platform: Platform
  start(): Promise<void>
}

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
  const place = ownFolder()
  const folder = join(place, 'data')
  let running: Platform | undefined
  const shared: Shared = {
    folder,
    env: {},
    platform: later(() => running),
    async start() {
      running = await startPlatform(folder, shared.env)
    },
  }
  beforeAll(async () => {
    shared.env = await env(place)
    await shared.start()
  })
  afterAll(() => running?.stop())
  for (const [title, part] of Object.entries(parts)) describe(title, () => part(shared))
}
