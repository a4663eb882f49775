import { Resolver } from 'node:dns/promises'
import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { PRODUCTS } from '../../../console/src/pages/feeds/products/products.ts'
import { formatNamed } from '../../../schemas/feeds-out/formats/format-table.ts'
import { highestNames, widestNetworks } from '../../builders/feeds/covered.ts'
import { feedFiles, feedItems } from '../../builders/feeds/feed-files.ts'
import { carriedBy } from '../../builders/feeds/list-items.ts'
import { freePort } from '../../builders/network/free-port.ts'
import { prepared } from '../../builders/suite/during.ts'
import { type Ended, ended, inOwnNetwork, whileRunning } from '../../clients/device.ts'

/** Feeds out of hostile values and 10,000 random items, as the devices' own programs read them (decisions 11.6). */

const items = feedItems()
const valuesOf = (name: string): string[] => carriedBy(formatNamed(name)!, items).map(({ value }) => value)
const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort()

const files = prepared(() => feedFiles(items))
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
  const SERVER = 'server:\n  chroot: ""\n  username: ""\n  pidfile: ""\n'
  const check = (path: string) => {
    const main = files.path('unbound-main')
    writeFileSync(main, `${SERVER}include: "${path}"\n`)
    return ended('unbound-checkconf', [main])
  }

  test('takes the configuration, without a warning', async ({ skip }) => {
    const { ok, out } = await asked(check(files.path('unbound')), 'unbound-checkconf', skip)
    expect([ok, out]).toEqual([true, expect.stringMatching(/^unbound-checkconf: no errors in \S+\n$/)])
  })

  test('has a zone for exactly the highest names', async ({ skip }) => {
    await asked(check(files.path('unbound')), 'unbound-checkconf', skip)
    const [main, socket] = [files.path('unbound-running'), files.path('unbound-control')]
    const control = `  control-enable: yes\n  control-interface: ${socket}\n  control-use-cert: no\n`
    const server = `${SERVER}  do-daemonize: no\n  use-syslog: no\n  interface: 127.0.0.1@${await freePort()}\n`
    writeFileSync(main, `${server}remote-control:\n${control}include: "${files.path('unbound')}"\n`)
    const listed = await whileRunning('unbound', ['-d', '-c', main], /start of service/, () =>
      ended('unbound-control', ['-c', main, 'list_local_zones']),
    )
    const zones = [...listed.out.matchAll(/^(\S+)\. always_nxdomain$/gm)].map(([, name]) => name!)
    const names = highestNames(valuesOf('unbound'))
    expect(names.length).toBeGreaterThan(500)
    expect(sorted(zones)).toEqual(sorted(names))
  })

  test('takes the lines that the console has for it, once the list is there', async ({ skip }) => {
    const [include] = configOf('Unbound')
    const path = /"(.+)"/.exec(include!)![1]!
    const main = files.path('unbound-console')
    writeFileSync(main, `${SERVER}${include!.replace(path, files.path('unbound'))}\n`)
    const run = (): Promise<Ended> => asked(ended('unbound-checkconf', [main]), 'unbound-checkconf', skip)
    expect((await run()).ok).toBe(true)
    writeFileSync(main, `${SERVER}${include!.replace(path, files.path('never-fetched'))}\n`)
    expect((await run()).ok).toBe(false)
  })

  test('refuses a zone of a kind that it does not know', async ({ skip }) => {
    const bad = check(withLine('unbound', 'server:\n  local-zone: "a.example." forever\n'))
    expect((await asked(bad, 'unbound-checkconf', skip)).ok).toBe(false)
  })
})

/** Questions that are under way at once. */
const ASKED_AT_ONCE = 100

/** What dnsmasq answers of names while it runs with these arguments, by their outcome, and what it printed at first. */
async function resolved(args: readonly string[], ready: RegExp, names: readonly string[]) {
  const port = await freePort()
  const resolver = new Resolver({ timeout: 5_000, tries: 2 })
  resolver.setServers([`127.0.0.1:${port}`])
  const alone = ['--no-daemon', '--no-resolv', '--no-hosts', '--pid-file=', '--bind-interfaces']
  const here = [`--port=${port}`, '--listen-address=127.0.0.1']
  return whileRunning('dnsmasq', [...alone, ...here, ...args], ready, async (printed) => {
    const answer = (name: string) => resolver.resolve4(name).then(String, ({ code }) => String(code))
    const answers: [string, string][] = []
    for (let i = 0; i < names.length; i += ASKED_AT_ONCE) {
      const some = names.slice(i, i + ASKED_AT_ONCE)
      const told = await Promise.all(some.map(answer))
      answers.push(...some.map((name, at): [string, string] => [name, told[at]!]))
    }
    return { answers, printed }
  })
}

describe('dnsmasq', () => {
  const check = (path: string) => ended('dnsmasq', ['--test', '-C', path])

  test('knows no name of the list and none below it, and asks others for all other names', async ({ skip }) => {
    await asked(check(files.path('dnsmasq')), 'dnsmasq', skip)
    const names = highestNames(valuesOf('dnsmasq'))
    expect(names.length).toBeGreaterThan(500)
    const blocked = names.flatMap((name) => [name, `below.${name}`])
    const room = names.filter((name) => name.length < 253 && !/^[^.]{63}/.test(name))
    const others = room.map((name) => `x${name}`).filter((name) => !names.includes(name))
    expect(others.length).toBeGreaterThan(500)
    const args = [`--conf-file=${files.path('dnsmasq')}`]
    const { answers } = await resolved(args, /no upstream servers/, [...blocked, ...others])
    const wanted = [...blocked.map((name) => [name, 'ENOTFOUND']), ...others.map((name) => [name, 'EREFUSED'])]
    expect(answers).toEqual(wanted)
  })

  test('has each name of the hosts file at no address, and none below it', async ({ skip }) => {
    const args = ['--conf-file=/dev/null', `--addn-hosts=${files.path('hosts')}`]
    await asked(ended('dnsmasq', ['--test', ...args]), 'dnsmasq', skip)
    const names = [...new Set(valuesOf('hosts'))]
    expect(names.length).toBeGreaterThan(500)
    const below = names.map((name) => `below.${name}`).filter((name) => !names.includes(name))
    const { answers, printed } = await resolved(args, /read \S+ - \d+ names/, [...names, ...below])
    const wanted = [...names.map((name) => [name, '0.0.0.0']), ...below.map((name) => [name, 'EREFUSED'])]
    expect(answers).toEqual(wanted)
    expect(/read \S+ - (\d+) names/.exec(printed)![1]).toBe(String(valuesOf('hosts').length))
  })

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
