import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PRODUCTS } from '../../../console/src/pages/feeds/products/products.ts'
import { formatNamed } from '../../../schemas/feeds-out/formats/table.ts'
import { highestNames, widestNetworks } from '../../builders/feeds/covered.ts'
import { feedFiles, feedItems } from '../../builders/feeds/feed-files.ts'
import { carriedBy } from '../../builders/feeds/list-items.ts'
import { type Ended, ended, inOwnNetwork } from '../../clients/device.ts'

/** Feeds out of hostile values and 10,000 random items, as the devices' own programs read them (decisions 11.6). */

const items = feedItems()
const valuesOf = (name: string): string[] => carriedBy(formatNamed(name)!, items).map(({ value }) => value)
const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort()

let files: ReturnType<typeof feedFiles>
beforeAll(() => {
  files = feedFiles(items)
})
afterAll(() => files.remove())

type Skip = (why: string) => never

/** What a program answers; a missing one skips the test, but where all of them are promised. */
async function asked(run: Promise<Ended>, program: string, skip: Skip): Promise<Ended> {
  const answer = await run.catch(
    (error: Error): Ended => ({ ok: false, out: `${program}: not found, ${error.message}` }),
  )
  const missing = /not found|Operation not permitted|Cannot open session|Kernel support/i.test(answer.out)
  if (!answer.ok && missing && process.env.CI === undefined) return skip(`${program} cannot be run: ${answer.out}`)
  return answer
}

/** A copy of a document with one line more. */
function withLine(name: string, line: string): string {
  const path = files.path(`${name}-bad`)
  writeFileSync(path, line)
  return path
}

/** The blocks of configuration that the console has for a product. */
const configOf = (product: string): string[] =>
  PRODUCTS.find(({ name }) => name === product)!
    .blocks('https://harrier.example/items.x')
    .filter(({ kind }) => kind === 'config')
    .map(({ text }) => text)

describe('named', () => {
  const check = (path: string) => ended('named-checkzone', ['-D', '-o', '-', 'rpz.harrier', path])

  test('loads the zone, and has a rule for each name and for all below it', async ({ skip }) => {
    const { ok, out } = await asked(check(files.path('rpz')), 'named-checkzone', skip)
    expect(ok, out.slice(-1000)).toBe(true)
    expect(out).toContain('loaded serial 7')
    const rules = [...out.matchAll(/^(\S+)\.rpz\.harrier\.\s+60 IN\s+CNAME\s+\.$/gm)].map(([, owner]) => owner!)
    const names = highestNames(valuesOf('rpz'))
    // Names that are known as good are left out.
    expect(names.length).toBeGreaterThan(500)
    expect(sorted(rules)).toEqual(sorted(names.flatMap((name) => [name, `*.${name}`])))
  })

  test('takes the lines that the console has for it, with the zone', async ({ skip }) => {
    const [policy, zone] = configOf('BIND')
    const main = files.path('named.conf')
    writeFileSync(main, `options {\n  directory "${files.folder}";\n  ${policy}\n};\n${zone}\n`)
    const { ok, out } = await asked(ended('named-checkconf', [main]), 'named-checkconf', skip)
    expect([ok, out]).toEqual([true, ''])
    writeFileSync(main, `options { directory "${files.folder}"; };\n${policy}\n${zone}\n`)
    expect((await asked(ended('named-checkconf', [main]), 'named-checkconf', skip)).ok).toBe(false)
  })

  test('refuses a zone with a line that is none', async ({ skip }) => {
    const { ok } = await asked(check(withLine('rpz', '$INCLUDE /etc/shadow\n')), 'named-checkzone', skip)
    expect(ok).toBe(false)
  })
})

describe('unbound', () => {
  const check = (path: string) => {
    const main = files.path('unbound-main')
    const server = `server:\n  chroot: ""\n  username: ""\n  pidfile: ""\n  directory: "${files.folder}"\n`
    writeFileSync(main, `${server}include: "${path}"\n`)
    return ended('unbound-checkconf', [main])
  }

  test('takes the configuration, without a warning', async ({ skip }) => {
    const { ok, out } = await asked(check(files.path('unbound')), 'unbound-checkconf', skip)
    expect([ok, out]).toEqual([true, expect.stringMatching(/^unbound-checkconf: no errors in \S+\n$/)])
  })

  test('takes the lines that the console has for it, once the list is there', async ({ skip }) => {
    const [include] = configOf('Unbound')
    const path = /"(.+)"/.exec(include!)![1]!
    const main = files.path('unbound-console')
    const server = `server:\n  chroot: ""\n  username: ""\n  pidfile: ""\n  directory: "${files.folder}"\n`
    writeFileSync(main, `${server}${include!.replace(path, files.path('unbound'))}\n`)
    const run = (): Promise<Ended> => asked(ended('unbound-checkconf', [main]), 'unbound-checkconf', skip)
    expect((await run()).ok).toBe(true)
    writeFileSync(main, `${server}${include!.replace(path, files.path('never-fetched'))}\n`)
    expect((await run()).ok).toBe(false)
  })

  test('refuses a zone of a kind that it does not know', async ({ skip }) => {
    const bad = check(withLine('unbound', 'server:\n  local-zone: "a.example." forever\n'))
    expect((await asked(bad, 'unbound-checkconf', skip)).ok).toBe(false)
  })
})

describe('dnsmasq', () => {
  const check = (path: string) => ended('dnsmasq', ['--test', '-C', path])

  test('takes the configuration', async ({ skip }) => {
    const { ok, out } = await asked(check(files.path('dnsmasq')), 'dnsmasq', skip)
    expect([ok, out]).toEqual([true, expect.stringContaining('syntax check OK')])
  })

  test('refuses a line that it does not know', async ({ skip }) => {
    expect((await asked(check(withLine('dnsmasq', 'lokal=/a.example/\n')), 'dnsmasq', skip)).ok).toBe(false)
  })
})

type Element = string | { prefix: { addr: string; len: number } }
type Ruleset = { nftables: { set?: { elem?: Element[] } }[] }

describe('nft', () => {
  test('takes the file as it is', async ({ skip }) => {
    const { ok, out } = await asked(inOwnNetwork(`nft -c -f '${files.path('nft')}'`), 'nft', skip)
    expect([ok, out]).toEqual([true, ''])
  })

  test('refuses a file in which one network contains another', async ({ skip }) => {
    const set = 'add table inet t\nadd set inet t s { type ipv4_addr; flags interval; }\n'
    const path = withLine('nft', `${set}add element inet t s { 8.8.8.0/24, 8.8.8.8 }\n`)
    expect((await asked(inOwnNetwork(`nft -c -f '${path}'`), 'nft', skip)).ok).toBe(false)
  })

  test('has exactly the widest networks once the file was loaded, twice', async ({ skip }) => {
    const path = files.path('nft')
    const line = `nft -f '${path}' && nft -f '${path}' && nft -j list table inet harrier`
    const { ok, out } = await asked(inOwnNetwork(line), 'nft', skip)
    expect(ok, out.slice(-1000)).toBe(true)
    const elements = (JSON.parse(out) as Ruleset).nftables.flatMap(({ set }) => set?.elem ?? [])
    const networks = elements.map((one) => (typeof one === 'string' ? one : `${one.prefix.addr}/${one.prefix.len}`))
    const widest = widestNetworks(valuesOf('nft'))
    expect(widest.length).toBeGreaterThan(500)
    expect(sorted(networks)).toEqual(sorted(widest))
  })
})

describe('ipset', () => {
  test('has exactly the networks once the file was restored, twice', async ({ skip }) => {
    const path = files.path('ipset')
    const line = `ipset restore < '${path}' && ipset restore < '${path}' && ipset save`
    const { ok, out } = await asked(inOwnNetwork(line), 'ipset', skip)
    expect(ok, out.slice(-1000)).toBe(true)
    const sets = [...out.matchAll(/^create (\S+) /gm)].map(([, name]) => name!)
    expect(sets).toEqual(['harrier-0198c1f01a2b7c3d-4', 'harrier-0198c1f01a2b7c3d-6'])
    const networks = [...out.matchAll(/^add \S+ (\S+)$/gm)].map(([, network]) => network!)
    const carried = valuesOf('ipset').map((value) => value.replace(value.includes(':') ? /\/128$/ : /\/32$/, ''))
    expect(carried.length).toBeGreaterThan(1000)
    expect(sorted(networks)).toEqual(sorted(carried))
  })

  test('refuses a line that is none', async ({ skip }) => {
    const path = withLine('ipset', 'create s hash:net\nadd s bad.invalid; reboot\n')
    expect((await asked(inOwnNetwork(`ipset restore < '${path}'`), 'ipset', skip)).ok).toBe(false)
  })
})
