import { createHash, hash } from 'node:crypto'
import type { History } from '../../../connectors/history/port.ts'

const BLOCK = 50_000

/** The main value of an entity of the seeded store, as its statements make it. */
function mainValue(e: number): string {
  const kind = e % 20
  const host = `host-${e}.example-${e % 997}.com`
  if (kind < 10) return `11.${(e >> 16) & 255}.${(e >> 8) & 255}.${e & 255}`
  if (kind < 15) return host
  if (kind < 17) return `http://${host}/path`
  return kind < 19 ? createHash('sha256').update(String(e)).digest('hex') : `malware ${e}`
}

/** Ids are made of SHA3-256, which the store cannot compute: the table `digests` has them for entities below `count`. */
export async function makeDigests(store: History, count: number): Promise<void> {
  await store.command('CREATE TABLE digests (e UInt64, digest FixedString(32)) ENGINE = MergeTree ORDER BY e')
  for (let from = 0; from < count; from += BLOCK) {
    const some = Math.min(BLOCK, count - from)
    const bytes = Buffer.concat(Array.from({ length: some }, (_, i) => hash('sha3-256', mainValue(from + i), 'buffer')))
    await store.command(`INSERT INTO digests WITH base64Decode('${bytes.toString('base64')}') AS bytes
      SELECT number + ${from}, substring(bytes, number * 32 + 1, 32) FROM numbers(${some})`)
  }
}
