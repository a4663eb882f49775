import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { isAttribute } from '../../../builders/feeds/collect-feed.ts'
import { countTrails } from '../../../builders/feeds/import/maltrail.ts'

const file = resolve(import.meta.dirname, '../../../../../shared/data/feeds/maltrail.tsv.gz')

test.skipIf(!existsSync(file))('all but a few mistyped lines of 1.85 million', { timeout: 120_000 }, async () => {
  const options = { reputation: -3, tags: [], header: false, trailingTags: false, isAttribute }
  expect(await countTrails(file, 1, options)).toEqual({ accepted: 1_852_210, rejected: 250 })
})
