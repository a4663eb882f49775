import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTiers } from '../../../../../cli/wiring/open/tiers.ts'
import { BUILT_IN_TIERS } from '../../../../../schemas/accounts/tiers/tiers.ts'
import { ownFolder } from '../../../../builders/suite/own-folder.ts'

const folder = ownFolder('tiers')

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

test('without a file the built-in tiers stand, with one it is laid over them', () => {
  expect(readTiers(null)).toBe(BUILT_IN_TIERS)
  const path = file('one.json', '{"tiers": {"Free": {"quotas": {"compute-api": {"max_instances": {"value": 2}}}}}}')
  expect(readTiers(path).Free!.quotas['compute-api']!.max_instances!.value).toBe(2)
})

test('a file that cannot be used is named with what is wrong', () => {
  const missing = join(folder, 'none.json')
  expect(() => readTiers(missing)).toThrow(`HARRIER_TIERS_FILE ${missing}: ENOENT`)
  const text = file('text.json', 'tiers:')
  expect(() => readTiers(text)).toThrow(`HARRIER_TIERS_FILE ${text}: Unexpected token`)
  const bad = file('bad.json', '{"tiers": {"Free": {"limits": {"feeds": {"feed_list_per_minute": {"value": "9"}}}}}}')
  expect(() => readTiers(bad)).toThrow('tiers.Free.limits.feeds.feed_list_per_minute.value must be an integer')
})
