import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import { extractIndicators } from '../../../../../schemas/intelligence/extract/extract.ts'
import { detect } from '../../../../../schemas/intelligence/ingest/detect.ts'

const DATA = new URL('../../../../../../shared/data/', import.meta.url).pathname
const hasData = existsSync(join(DATA, 'misp'))
if (!hasData) console.info('skipped: no real data beside the checkout')

/** Types of MISP whose values are of a form that is recognised. */
const TYPES = new Set([
  'ip-dst',
  'ip-src',
  'domain',
  'hostname',
  'url',
  'md5',
  'sha1',
  'sha256',
  'email-src',
  'email-dst',
])

function attributesOf(given: unknown, found: Set<string>): Set<string> {
  if (Array.isArray(given)) for (const one of given) attributesOf(one, found)
  else if (typeof given === 'object' && given !== null) {
    const { type, value } = given as Record<string, unknown>
    const read = typeof value === 'string' && TYPES.has(String(type)) ? detect(value) : null
    if (read !== null) found.add(read.value)
    for (const one of Object.values(given)) attributesOf(one, found)
  }
  return found
}

describe.skipIf(!hasData)('real text', () => {
  test('every attribute of the reports of operations is found in their text', () => {
    for (const name of readdirSync(join(DATA, 'misp')).filter((file) => file.endsWith('.json'))) {
      const text = readFileSync(join(DATA, 'misp', name), 'utf8')
      const found = new Set(extractIndicators(text, { most: 100_000 }).indicators.map(({ value }) => value))
      const wanted = attributesOf(JSON.parse(text), new Set())
      expect(wanted.size).toBeGreaterThan(10)
      expect(
        [...wanted].filter((value) => !found.has(value)),
        name,
      ).toEqual([])
    }
  })

  /** An expression for the same form, as many tools have it: a second opinion, which takes files and versions too. */
  test('addresses of a list are those that a plain expression finds', () => {
    const text = gunzipSync(readFileSync(join(DATA, 'feeds/ipsum.txt.gz')))
      .toString()
      .slice(0, 400_000)
    const plain = new Set(
      text.match(/\b(?:\d{1,3}\.){3}\d{1,3}\b/g)?.filter((ip) => typeof normalise('ip', ip) === 'string'),
    )
    const found = extractIndicators(text, { most: 100_000 }).indicators.filter(({ type }) => type === 'ip')
    expect(plain.size).toBeGreaterThan(10_000)
    expect(new Set(found.map(({ value }) => value))).toEqual(plain)
  })

  test('of the trails of malware, each in a line of a log, 99.5 in 100 are found and nothing else', () => {
    const trails = gunzipSync(readFileSync(join(DATA, 'feeds/maltrail.tsv.gz')))
      .toString()
      .split('\n')
    let wanted = 0
    let found = 0
    let others = 0
    for (let at = 0; at < trails.length; at += 100) {
      const trail = trails[at]!.split('\t')[0]!
      const read = detect(trail)
      if (read === null || read.type === 'path' || typeof normalise(read.type, read.value) !== 'string') continue
      wanted++
      const { indicators } = extractIndicators(`Nov 27 10:00:00 fw-1 kernel[12.5]: blocked ${trail} by policy 7.1`)
      if (indicators.some(({ value }) => value === read.value)) found++
      others += indicators.filter(({ value }) => !read.value.includes(value)).length
    }
    console.info(`trails: ${found} of ${wanted} found, ${others} others`)
    expect(wanted).toBeGreaterThan(10_000)
    expect(found / wanted).toBeGreaterThan(0.995)
    expect(others).toBe(0)
  }, 60_000)
})
