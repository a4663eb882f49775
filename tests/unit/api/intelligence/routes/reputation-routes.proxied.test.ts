import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asAdmin } from '../../../../builders/api/api.ts'
import { startProxy } from '../../../../builders/infra/proxy.ts'
import { post } from '../../../../builders/network/raw-http.ts'
import { writeFirst } from '../../../../builders/network/write-first.ts'
import { presentRow } from '../../../../builders/reputation/memory-lookups.ts'
import { REPUTATION, reputationArea } from '../../../../builders/reputation/reputation-area.ts'

const { NGINX } = process.env
const TAGS = Array.from({ length: 60 }, (_, i) => `tag-number-${i}-of-a-long-list`)

test.skipIf(!NGINX).each([
  ['fewer bytes of answers than are held', 9_000],
  ['more of them', 75_000],
])(
  'a client behind nginx that sends all before it reads gets all: %s',
  async (_, count) => {
    const folder = mkdtempSync(join(tmpdir(), 'harrier-nginx-'))
    const rows = [presentRow('domain', 'long.example', { reputation: -1, tags: TAGS })]
    const api = await reputationArea(rows, {}, { trustedProxies: 1 })
    const proxy = await startProxy(NGINX!, folder, [new URL(api.url).host])
    try {
      const body = `{"value":"http://long.example/${'a'.repeat(170)}"}\n`.repeat(count)
      const headers = { ...asAdmin, 'content-type': 'application/x-ndjson', connection: 'close' }
      const { last } = await writeFirst(proxy.url, post(REPUTATION, body, headers))
      expect(last).toContain(`{"answered":${count},"refused":0}`)
    } finally {
      await proxy.stop()
      await api.close()
      rmSync(folder, { recursive: true })
    }
  },
  100_000,
)
