import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import { detect } from '../../../../../schemas/intelligence/ingest/detect.ts'

const data = join(import.meta.dirname, '../../../../../../shared/data')
const missing = existsSync(data) ? false : `no ${data}`
const onData = (title: string, run: () => void) =>
  test(missing ? `${title} (skipped: ${missing})` : title, { skip: missing !== false }, run)

onData('99.9 % of a real feed of mixed indicators is recognised, each in a stable normal form', () => {
  const lines = gunzipSync(readFileSync(join(data, 'feeds/maltrail.tsv.gz')))
    .toString()
    .split('\n')
  const sample = lines.filter((line, i) => line !== '' && i % 40 === 0).map((line) => line.split('\t')[0] as string)
  const types = new Map<string, number>()
  const unstable: string[] = []
  for (const raw of sample) {
    const found = detect(raw)
    const type = found?.type ?? 'unknown'
    types.set(type, (types.get(type) ?? 0) + 1)
    if (found === null) continue
    const again = normalise(found.type, found.value)
    if (typeof again === 'string' && again !== found.value) unstable.push(raw)
  }
  expect(unstable).toEqual([])
  expect((types.get('unknown') ?? 0) / sample.length).toBeLessThan(0.001)
  expect([...types.keys()].sort()).toEqual(expect.arrayContaining(['domain', 'hostname', 'ip', 'path', 'url']))
})

onData('popular domains are domain names', () => {
  const { list } = JSON.parse(readFileSync(join(data, 'well-known/cisco_top20k.json'), 'utf8')) as { list: string[] }
  const refused = list.filter((name) => name.includes('.') && typeof normalise('domain', name) !== 'string')
  expect(refused.length / list.length).toBeLessThan(0.001)
})
