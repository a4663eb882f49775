import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as listenRaw, type Server as RawServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { StoreSlow, StoreUnavailable } from '../../../../connectors/availability/port.ts'
import { clickhouse } from '../../../../connectors/history/clickhouse.ts'
import { guardReads } from '../../../../connectors/history/guard.ts'
import type { History } from '../../../../connectors/history/port.ts'

const ROW = '[{"n":"1"}]'
/** Times of a machine that is busy with others. */
const AGAIN = { retry: 2 }
const ONE = { sql: 'SELECT 1 AS n', params: {} }

/** How a store answers: as it should, or not any more from some point on. */
type Manner = 'answers' | 'hangs before headers' | 'hangs in a body' | 'hangs in one body' | 'resets' | 'is slow'

const opened: { close(): unknown }[] = []
afterAll(async () => {
  for (const each of opened.splice(0)) await each.close()
})

const listening = async (server: RawServer): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function fakeStore() {
  const state = { manner: 'answers' as Manner, held: [] as ServerResponse[] }
  const server = createServer((req, res) => {
    req.resume()
    const ping = req.url === '/ping'
    if (state.manner === 'resets') return void req.socket.destroy()
    if (state.manner === 'hangs before headers') return void state.held.push(res)
    if (state.manner === 'hangs in a body' || (state.manner === 'hangs in one body' && !ping)) {
      res.writeHead(200, { 'content-length': '100' })
      return void res.write('{"n":')
    }
    if (ping) return void res.end('Ok.\n')
    setTimeout(() => res.end(ROW), state.manner === 'is slow' ? 3_000 : 0)
  })
  const port = await listening(server)
  opened.push({ close: () => server.close().closeAllConnections() })
  return { state, url: `http://127.0.0.1:${port}` }
}

function open(url: string, longestMs = 15_000): History {
  const history = guardReads(clickhouse({ url, username: 'u', password: '' }), { url, longestMs, busy: () => () => 0 })
  opened.push(history)
  return history
}

/** Asks until it is answered; rejects with the last failure after 2.5 s. */
async function back(history: History): Promise<void> {
  for (const from = performance.now(); ; await sleep(20))
    try {
      return expect(await history.query(ONE)).toEqual([{ n: '1' }])
    } catch (error) {
      if (performance.now() - from > 2_500) throw error
    }
}

async function failing(
  work: Promise<unknown>,
  kind: new (...args: never[]) => Error = StoreUnavailable,
): Promise<number> {
  const from = performance.now()
  await expect(work).rejects.toBeInstanceOf(kind)
  return performance.now() - from
}

test.concurrent.each(['hangs before headers', 'hangs in a body', 'resets'] as const)(
  'a read fails within 2 s when the store %s, the next one at once, and works again when it answers',
  AGAIN,
  async (manner) => {
    const { state, url } = await fakeStore()
    const history = open(url)
    expect(await history.query(ONE)).toEqual([{ n: '1' }])
    state.manner = manner
    expect(await failing(history.query(ONE))).toBeLessThan(2_000)
    if (manner !== 'resets') expect(await failing(history.query(ONE))).toBeLessThan(500)
    state.manner = 'answers'
    for (const res of state.held.splice(0)) res.end('Ok.\n')
    const from = performance.now()
    await back(history)
    expect(performance.now() - from).toBeLessThan(2_500)
  },
)

test.concurrent(
  'a read fails within 2 s when nothing listens, and when connections are accepted and left',
  AGAIN,
  async () => {
    const nobody = listenRaw()
    const closed = await listening(nobody)
    await new Promise((resolve) => nobody.close(resolve))
    expect(await failing(open(`http://127.0.0.1:${closed}`).query(ONE))).toBeLessThan(2_000)

    const sockets: Socket[] = []
    const silent = listenRaw((socket) => sockets.push(socket.on('error', () => undefined)))
    const port = await listening(silent)
    opened.push({
      close: () => {
        for (const socket of sockets) socket.destroy()
        silent.close()
      },
    })
    expect(await failing(open(`http://127.0.0.1:${port}`).query(ONE))).toBeLessThan(2_000)
  },
)

test.concurrent('a slow answer of a store that is there is waited for', AGAIN, async () => {
  const { state, url } = await fakeStore()
  state.manner = 'is slow'
  expect(await open(url).query(ONE)).toEqual([{ n: '1' }])
})

test.concurrent('a read that hangs alone, in a store that is there, ends with its longest time', AGAIN, async () => {
  const { state, url } = await fakeStore()
  state.manner = 'hangs in one body'
  const took = await failing(open(url, 700).query(ONE), StoreSlow)
  expect(took).toBeGreaterThan(650)
  expect(took).toBeLessThan(2_000)
})

test.concurrent(
  'reads in the middle of their answers are given up together, with their connections',
  AGAIN,
  async () => {
    const { state, url } = await fakeStore()
    state.manner = 'hangs in a body'
    const history = open(url)
    const took = await Promise.all(Array.from({ length: 40 }, () => failing(history.query(ONE))))
    expect(Math.max(...took)).toBeLessThan(2_000)
    // More than there are connections: none of them was kept.
    state.manner = 'answers'
    await back(history)
  },
)
