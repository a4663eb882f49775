import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { Listener } from '../../../../edge/listeners/listener.ts'
import { listenTcp, type TcpOptions } from '../../../../edge/listeners/tcp.ts'
import type { Session } from '../../../../edge/protocols/session.ts'

const PLACE = { host: '127.0.0.1', port: 0 }
const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

/** A session in which each line is a request: `n` is answered with n bytes and a line end, `quit` ends it. */
function lineSession(taken: { requests: number; rounds: number[] }): Session {
  let waits = ''
  return {
    push(bytes) {
      waits += bytes.toString('latin1')
    },
    answer(most) {
      let [text, end, count] = ['', false, 0]
      for (let at = waits.indexOf('\n'); at >= 0 && count < most && !end; at = waits.indexOf('\n')) {
        const line = waits.slice(0, at)
        waits = waits.slice(at + 1)
        count++
        end = line === 'quit'
        text += end ? 'bye\n' : `${'x'.repeat(Number(line))}\n`
      }
      taken.requests += count
      taken.rounds.push(count)
      return { bytes: Buffer.from(text), more: !end && waits.includes('\n'), end }
    },
  }
}

async function listening(options: TcpOptions = {}, allowed = () => true) {
  const taken = { requests: 0, rounds: [] as number[] }
  const listener: Listener = await listenTcp(PLACE, () => lineSession(taken), allowed, options)
  open.push(listener)
  return { listener, taken }
}

/** A client that reads when it is told to. */
function client({ port }: Listener, options: { reads?: boolean; halfOpen?: boolean } = {}) {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: options.halfOpen ?? false })
  open.push({ close: () => socket.destroy() })
  let read = 0
  let text = ''
  const closed = once(socket, 'close').then(() => true)
  socket.on('error', () => undefined)
  const receive = (): void => {
    socket.on('data', (piece) => {
      read += piece.length
      text = (text + piece.toString('latin1')).slice(-200)
    })
  }
  if (options.reads === false) socket.pause()
  else receive()
  const got = (bytes: number): Promise<void> => expect.poll(() => read, { timeout: 20_000 }).toBe(bytes) as never
  return { socket, closed, receive, got, read: () => read, text: () => text }
}

describe('requests', () => {
  test('are answered in order, in any pieces', async () => {
    const { listener } = await listening()
    const one = client(listener)
    for (const byte of '1\n2\n3\n') one.socket.write(byte)
    await one.got(9)
    expect(one.text()).toBe('x\nxx\nxxx\n')
  })

  test('of a client that has ended its side are all answered, then the connection ends', async () => {
    const { listener } = await listening()
    const one = client(listener, { halfOpen: true })
    one.socket.end('3\n'.repeat(5_000))
    await once(one.socket, 'end')
    expect(one.read()).toBe(20_000)
    one.socket.destroy()
    await expect.poll(() => listener.connections()).toBe(0)
  })

  test('that end the session are the last ones', async () => {
    const { listener, taken } = await listening()
    const one = client(listener, { halfOpen: true })
    one.socket.write('1\nquit\n1\n')
    await once(one.socket, 'end')
    expect([one.text(), taken.requests]).toEqual(['x\nbye\n', 2])
    one.socket.write('1\n'.repeat(1_000))
    one.socket.end()
    await one.closed
    expect(taken.requests).toBe(2)
  })

  test('very many of one connection hold up no other', async () => {
    const { listener, taken } = await listening()
    const [greedy, other] = [client(listener), client(listener)]
    const many = 200_000
    for (const one of [greedy, other]) await once(one.socket, 'connect')
    greedy.socket.write('1\n'.repeat(many))
    await once(greedy.socket, 'data')
    other.socket.write('1\n')
    await once(other.socket, 'data')
    expect(greedy.read()).toBeLessThan(2 * many)
    await greedy.got(2 * many)
    expect(Math.max(...taken.rounds)).toBeLessThanOrEqual(256)
  })
})

describe('a client that does not read', () => {
  const BIG = '65536\n'

  test('has no more answered than it may leave unread, and all of it once it reads', async () => {
    const { listener, taken } = await listening()
    const one = client(listener, { reads: false })
    const many = 2_000
    one.socket.write(BIG.repeat(many))
    await expect.poll(() => taken.requests).toBeGreaterThan(16)
    await new Promise((resolve) => setTimeout(resolve, 100))
    // A round, and what the system keeps for a connection, on top of the bound.
    expect(taken.requests).toBeLessThan(many / 2)
    const other = client(listener)
    other.socket.write('1\n')
    await other.got(2)
    one.receive()
    one.socket.resume()
    await one.got(many * 65_537)
  })

  test('is closed after a while, and nothing of it is kept', async () => {
    const { listener } = await listening({ unreadMs: 700 })
    const silent = client(listener, { reads: false })
    const idle = client(listener)
    silent.socket.write(BIG.repeat(2_000))
    await expect.poll(() => listener.connections()).toBe(2)
    await expect.poll(() => listener.connections()).toBe(1)
    idle.socket.write('1\n')
    await idle.got(2)
  })

  test('and was told that it is over is closed after a while, too', async () => {
    const { listener } = await listening({ unreadMs: 700 })
    const one = client(listener, { reads: false })
    one.socket.write(`${BIG.repeat(200)}quit\n`)
    await expect.poll(() => listener.connections()).toBe(1)
    await expect.poll(() => listener.connections()).toBe(0)
  })

  test('and breaks the connection ends nothing else', async () => {
    const { listener } = await listening()
    for (let i = 0; i < 5; i++) {
      const one = client(listener, { reads: false })
      one.socket.write(BIG.repeat(200))
      await expect.poll(() => listener.connections()).toBe(1)
      one.socket.resetAndDestroy()
      await expect.poll(() => listener.connections()).toBe(0)
    }
  })
})

describe('connections', () => {
  test('of those that are not let in are closed without a word', async () => {
    const { listener, taken } = await listening({}, () => false)
    const one = client(listener)
    one.socket.write('1\n')
    await one.closed
    expect([one.read(), taken.requests, listener.connections()]).toEqual([0, 0, 0])
  })

  test('beyond the bound are closed, and have a place again when others leave', async () => {
    const { listener } = await listening({ connections: 2 })
    const [first, second] = [client(listener), client(listener)]
    for (const one of [first, second]) {
      one.socket.write('1\n')
      await one.got(2)
    }
    const third = client(listener)
    await third.closed
    first.socket.destroy()
    await expect.poll(() => listener.connections()).toBe(1)
    const fourth = client(listener)
    fourth.socket.write('1\n')
    await fourth.got(2)
  })

  test('that are open end with the listener, and its port is free', async () => {
    const { listener } = await listening()
    const one = client(listener)
    one.socket.write('1\n')
    await one.got(2)
    await listener.close()
    await one.closed
    const again = await listenTcp(
      { ...PLACE, port: listener.port },
      () => lineSession({ requests: 0, rounds: [] }),
      () => true,
    )
    await again.close()
  })

  test('at a port that is taken there are none', async () => {
    const { listener } = await listening()
    const place = { ...PLACE, port: listener.port }
    const taken = listenTcp(
      place,
      () => lineSession({ requests: 0, rounds: [] }),
      () => true,
    )
    await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
