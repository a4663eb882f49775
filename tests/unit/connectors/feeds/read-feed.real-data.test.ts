import { createReadStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ParseOptions, parseFeed } from '../../../../connectors/feeds/read-feed.ts'
import { expand } from '../../../../schemas/intelligence/ingest/expand.ts'
import { feedProvenance } from '../../../../schemas/intelligence/observations/feed.ts'
import { isAttribute } from '../../../builders/feeds/collect-feed.ts'
import { countTrails } from '../../../builders/feeds/import/maltrail.ts'

const folder = resolve(import.meta.dirname, '../../../../../shared/data')
const present = existsSync(folder)
if (!present) console.warn(`skipped: no real feeds in ${folder}`)

type Case = {
  file: string
  options: Partial<ParseOptions> & Pick<ParseOptions, 'format'>
  accepted: number
  rejected: number
}

const misp = (file: string, accepted: number, rejected = 0): Case => ({
  file: `misp/${file}`,
  options: { format: 'misp' },
  accepted,
  rejected,
})
const known = (file: string, accepted: number, rejected = 0): Case => ({
  file: `well-known/${file}`,
  options: { format: 'warninglist' },
  accepted,
  rejected,
})

/** Submissions that ingest accepts, and places that are rejected by the parser or by ingest. */
const cases: Case[] = [
  { file: 'feeds/ipsum.txt.gz', options: { format: 'lines' }, accepted: 120_430, rejected: 0 },
  misp('glupteba.misp-event.json', 321),
  misp('lazarus_3cx.json', 26, 12),
  misp('misp-dukes-operation-ghost-event.json', 101),
  misp('misp-machete-event.json', 396),
  misp('misp-wintervivern.event.json', 13),
  misp('mozi.misp-event.json', 102, 32),
  known('cisco_top20k.json', 19_999, 1),
  known('cloudflare-top50k.json', 50_000, 1),
  known('microsoft-office365-ip.json', 82),
  known('public-dns-v4.json', 62_745),
]

const DEFAULTS = { reputation: -3, tags: [], columns: 'indicator', header: false, trailingTags: false, isAttribute }

async function count(file: string, options: Case['options']) {
  const report = feedProvenance({ name: 'f', trust: 0.7 }, 'report', ['public'], Date.now())
  const mark = { ...report, kind: 'well_known' } as const
  const counts = { accepted: 0, rejected: 0 }
  for await (const items of parseFeed(createReadStream(resolve(folder, file)), { ...DEFAULTS, ...options })) {
    for (const item of items) {
      const ids = { submissionId: 's', nextId: () => 'i' }
      const ok = 'entity' in item && expand(item.entity, item.wellKnown ? mark : report, ids).ok
      counts[ok ? 'accepted' : 'rejected']++
    }
  }
  return counts
}

describe.skipIf(!present)('real feeds', () => {
  for (const { file, options, accepted, rejected } of cases) {
    test(`${file}`, async () => expect(await count(file, options)).toEqual({ accepted, rejected }))
  }

  // The whole of it is read by `make test-long`.
  test('feeds/maltrail.tsv.gz: all but a few mistyped lines of every fifteenth', async () => {
    const file = resolve(folder, 'feeds/maltrail.tsv.gz')
    expect(await countTrails(file, 15, DEFAULTS)).toEqual({ accepted: 123_480, rejected: 18 })
  })
})
