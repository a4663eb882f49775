import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Scanner, ScanRefused } from '../../../../../connectors/network/scanner/port.ts'
import type { LeasedScan, ScanResult, ScanWork, TakeScans } from '../../../../../connectors/postgres/scans/port.ts'
import { scanning, startScanWorker, type WorkerPorts } from '../../../../../pipelines/jobs/scans/scan-worker.ts'
import { encodeObservation } from '../../../../builders/log/sent-observations.ts'
import { fakeScanner } from '../../../../builders/scans/scans.ts'

const NOW = 1_800_000_000_000

const leased = (host: string, given: Partial<LeasedScan> = {}): LeasedScan => ({
  id: randomUUID(),
  fence: 1,
  target: { kind: 'ip', value: host },
  priority: 'user',
  round: 0,
  startedAt: NOW,
  userId: randomUUID(),
  source: 'customer-1',
  trust: 0.6,
  audience: ['blue'],
  ...given,
})

/** Tasks in memory: gives out what it has, remembers what it is told. */
function memoryWork(waiting: LeasedScan[]) {
  const asked: TakeScans[] = []
  const told: [what: string, host: string, more?: unknown][] = []
  const lost = new Set<string>()
  const hosts = new Map(waiting.map(({ id, target }) => [id, target.value]))
  const work: ScanWork = {
    published: async () => undefined,
    queued: async () => waiting.length > 0,
    async take(wanted) {
      asked.push(wanted)
      return waiting.splice(0, wanted.limit)
    },
    renew: async (leases) => new Set(leases.map(({ id }) => id).filter((id) => !lost.has(id))),
    async finish({ id }, result: ScanResult) {
      told.push(['finish', hosts.get(id)!, result.entities])
      return true
    },
    async fail({ id }, why, error) {
      told.push([why, hosts.get(id)!, error])
      return why === 'failed' ? 'queued' : 'permanent_failure'
    },
    async release({ id }) {
      told.push(['release', hosts.get(id)!])
    },
  }
  const lose = (host: string): void => {
    for (const [id, one] of hosts) if (one === host) lost.add(id)
  }
  return { work, asked, told, lose }
}

function worker(waiting: LeasedScan[], given: Partial<WorkerPorts> = {}) {
  const memory = memoryWork(waiting)
  const runs: string[] = []
  const failures: Error[] = []
  const ports: WorkerPorts = {
    scans: memory.work,
    scanner: fakeScanner().scanner,
    encode: encodeObservation,
    now: () => NOW,
    holder: randomUUID(),
    onRun: (outcome: string) => void runs.push(outcome),
    onFailure: (error) => void failures.push(error),
    ...given,
  }
  return { ...memory, ports, runs, failures }
}

const scanner = (scan: Scanner['scan']): { scanner: Scanner } => ({ scanner: { scan } })

describe('what comes of a run', () => {
  test('found: everything is submitted with the end', async () => {
    const { ports, told, runs } = worker([leased('8.8.8.8')])
    const work = scanning(ports)
    expect(await work.begin()).toBe(1)
    await work.ended()
    expect([told, runs]).toEqual([[['finish', '8.8.8.8', 2]], ['done']])
  })

  test('a scanner that fails, one that refuses, one that says nothing at all', async () => {
    const errors: Record<string, Error> = {
      '8.8.8.1': new Error('no name server answered'),
      '8.8.8.2': new ScanRefused('the address is not public'),
      '8.8.8.3': new Error(''),
    }
    const { ports, told, runs } = worker(
      Object.keys(errors).map((host) => leased(host)),
      {
        ...scanner(({ value }) => Promise.reject(errors[value])),
      },
    )
    const work = scanning(ports)
    await work.begin()
    await work.ended()
    expect(told).toEqual([
      ['failed', '8.8.8.1', 'no name server answered'],
      ['refused', '8.8.8.2', 'the address is not public'],
      ['failed', '8.8.8.3', 'the scan failed'],
    ])
    expect(runs).toEqual(['queued', 'permanent_failure', 'queued'])
  })

  test('a scanner that does not listen is left behind when its time is over', async () => {
    const { ports, told } = worker([leased('8.8.8.8')], { ...scanner(() => new Promise(() => undefined)), scanMs: 20 })
    const work = scanning(ports)
    await work.begin()
    await work.ended()
    expect(told).toEqual([['failed', '8.8.8.8', 'the scan timed out after 0.02 s']])
  })

  test('an observation that cannot be written is a failure of its scan', async () => {
    const encode = () => {
      throw new TypeError('not a record')
    }
    const { ports, told } = worker([leased('8.8.8.8')], { encode })
    const work = scanning(ports)
    await work.begin()
    await work.ended()
    expect(told).toEqual([['failed', '8.8.8.8', 'not a record']])
  })

  test('a database that fails is told, and the place is free again', async () => {
    const { ports, failures } = worker([leased('8.8.8.8')])
    const work = scanning({ ...ports, scans: { ...ports.scans, finish: () => Promise.reject(new Error('away')) } })
    await work.begin()
    await work.ended()
    expect(failures.map(({ message }) => message)).toEqual(['away'])
    await work.begin()
  })
})

describe('how many are run', () => {
  const cases = [
    { atOnce: 16, automatic: 12 },
    { atOnce: 4, automatic: 3 },
    { atOnce: 2, automatic: 1 },
    { atOnce: 1, automatic: 0 },
  ]
  for (const { atOnce, automatic } of cases)
    test(`of ${atOnce} places, automatic scans have ${automatic}`, async () => {
      const { ports, asked } = worker([], { atOnce })
      await scanning(ports).begin()
      expect(asked.map((wanted) => [wanted.limit, wanted.automatic])).toEqual([[atOnce, automatic]])
    })

  test('what runs takes its place, and gives it back', async () => {
    const open = Promise.withResolvers<void>()
    const hosts = ['8.8.8.1', '8.8.8.2', '8.8.8.3', '8.8.8.4', '8.8.8.5']
    const tasks = hosts.map((host, i) => leased(host, { priority: i < 3 ? 'automatic' : 'user' }))
    const gates = Object.fromEntries(hosts.map((host) => [host, open.promise]))
    const { ports, asked, told } = worker(tasks, { atOnce: 4, scanner: fakeScanner(gates).scanner })
    const work = scanning(ports)
    expect(await work.begin()).toBe(4)
    expect(await work.begin()).toBe(0)
    open.resolve()
    await work.ended()
    expect(await work.begin()).toBe(1)
    await work.ended()
    expect(told).toHaveLength(5)
    expect(asked.map(({ limit, automatic }) => [limit, automatic])).toEqual([
      [4, 3],
      [4, 3],
    ])
  })
})

describe('a run that is cut off', () => {
  const never = new Promise<void>(() => undefined)
  const two = () => [leased('8.8.8.1'), leased('8.8.8.2')]
  const gates = { '8.8.8.1': never, '8.8.8.2': never }

  test('whoever lost the lease writes nothing down, and the others go on', async () => {
    const { ports, told, lose } = worker(two(), { scanner: fakeScanner(gates).scanner })
    const work = scanning(ports)
    await work.begin()
    lose('8.8.8.1')
    await work.renew()
    for (let i = 0; i < 10; i++) await turn()
    expect(told).toEqual([])
    work.cut()
    await work.ended()
    expect(told).toEqual([['release', '8.8.8.2']])
  })

  test('a worker that stops gives back what it cuts off, and does not wait for pauses', async () => {
    const { ports, told, failures } = worker(two(), { scanner: fakeScanner(gates).scanner })
    const running = startScanWorker(ports)
    await turn()
    await running.stop()
    expect(told.map(([what]) => what)).toEqual(['release', 'release'])
    expect(failures).toEqual([])
  })
})

test('a worker that is woken looks at once; a failing database is asked again later', async () => {
  const { ports, asked, failures } = worker([])
  let broken = false
  const scans: ScanWork = {
    ...ports.scans,
    take: (wanted) => (broken ? Promise.reject(new Error('away')) : ports.scans.take(wanted)),
  }
  const running = startScanWorker({ ...ports, scans })
  for (let i = 0; i < 3; i++) {
    running.wake()
    for (let turns = 0; turns < 5; turns++) await turn()
  }
  expect(asked.length).toBeGreaterThan(2)
  broken = true
  for (let i = 0; i < 5; i++) {
    running.wake()
    for (let turns = 0; turns < 5; turns++) await turn()
  }
  expect(failures).toHaveLength(1)
  const began = performance.now()
  await running.stop()
  expect(performance.now() - began).toBeLessThan(500)
})
