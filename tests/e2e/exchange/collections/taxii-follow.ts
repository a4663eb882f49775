import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/**
 * A reader that follows a collection by `added_after` alone knows the list, whatever happens meanwhile (decisions 15.2).
 * @param rounds of so many reports; the job is killed in every other one
 */
export function taxiiFollow(shared: Shared, rounds: number, reports: number): void {
  const { platform } = shared

  type StixObject = { id: string; type: string; name?: string; modified?: string; revoked?: boolean }

  /** Process ids of the role `follow` of this platform. */
  function followers(): number[] {
    const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args=']).toString().split('\n')
    const mine = new Set([platform.pid])
    const found: number[] = []
    for (let round = 0; round < 4; round++)
      for (const line of lines) {
        const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
        if (pid === undefined || !mine.has(Number(parent))) continue
        mine.add(Number(pid))
        if (/ follow\b/.test(args!) && !found.includes(Number(pid))) found.push(Number(pid))
      }
    return found
  }

  const value = (n: number): string => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`.replace(/^10\./, '45.')

  async function report(n: number, reputation: number): Promise<void> {
    const body = { type: 'ip', attributes: { ip: value(n) }, reputation, tags: ['followed'] }
    expect((await platform.ask('/api/ingest/v1/entity', body)).status).toBe(202)
  }

  test('nothing is missed and nothing comes twice while the list changes and the job is killed', async () => {
    const selector = { types: ['ip'], tags: { any: ['followed'] }, reputation: { lte: -1 } }
    const made = await platform.ask('/api/feeds/v1/feeds', {
      name: 'followed',
      selector,
      groups: ['public'],
      guard: null,
    })
    expect(made.status).toBe(201)
    const feed = made.body.id as string
    const seen = new Map<string, StixObject>()
    const places = new Set<string>()
    let after = ''
    /** Reads what was added since the last time. */
    async function follow(): Promise<void> {
      for (;;) {
        const path = `/taxii2/harrier/collections/${feed}/objects/?limit=37&match[version]=all${after}`
        const answer = await fetch(`${platform.url}${path}`, { headers: ADMINISTRATOR })
        expect(answer.status).toBe(200)
        const { objects = [] } = (await answer.json()) as { objects?: StixObject[] }
        for (const object of objects) {
          const place = `${object.id} ${object.modified ?? ''}`
          expect(places.has(place)).toBe(false)
          places.add(place)
          seen.set(object.id, object)
        }
        if (objects.length === 0) return
        after = `&added_after=${answer.headers.get('x-taxii-date-added-last')}`
      }
    }
    const listed = async (): Promise<string[]> => {
      const answer = await fetch(`${platform.url}/api/feeds/v1/feeds/${feed}/items.text`, { headers: ADMINISTRATOR })
      return answer.status === 200
        ? (await answer.text())
            .split('\n')
            .filter((line) => line !== '')
            .sort()
        : []
    }
    const claimed = (): string[] =>
      [...seen.values()]
        .flatMap(({ type, revoked, name }) => (type === 'indicator' && revoked !== true ? [name!] : []))
        .sort()

    let killed = 0
    for (let round = 0; round < rounds; round++) {
      const sent = Array.from({ length: reports }, (_, n) =>
        report(Math.floor((round * reports * 2) / 3) + n, n % 3 === round % 3 ? 3 : -3),
      )
      const reading = follow()
      const struck = round % 2 === 1 ? followers() : []
      for (const pid of struck) process.kill(pid, 'SIGKILL')
      killed += struck.length
      await Promise.all([...sent, reading])
    }
    await eventually(
      async () => {
        await follow()
        return [await listed(), claimed()] as const
      },
      ([list, claims]) => list.length > (rounds * reports) / 3 && JSON.stringify(list) === JSON.stringify(claims),
      90_000,
    )
    expect(killed).toBeGreaterThan(0)
    expect(places.size).toBeGreaterThan(rounds * reports)
  }, 200_000)
}
