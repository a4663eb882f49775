import { connect, createServer, type Socket } from 'node:net'

const PRODUCE = 0
const HOST = '127.0.0.1'

export type Proxy = {
  /** What a client is given instead of the broker. */
  brokers: string
  /** Produce requests that the broker has answered, and those of them whose answer was not passed on. */
  answered: number
  dropped: number
  /** Ends every connection; takes none until `back`, and counts those that it refused. */
  away(): void
  refused: number
  back(): void
  close(): Promise<void>
}

/**
 * Stands before one broker on this machine. Where `drop` says so of an answered produce request, counted from one, the
 * answer is kept back and the connection closed: the client cannot know that the broker has taken the batch.
 */
export async function proxyOf(broker: string, drop: (answered: number) => boolean): Promise<Proxy> {
  const port = Number(broker.split(':')[1])
  const sockets = new Set<Socket>()
  let isAway = false
  const server = createServer((client) => {
    if (isAway) {
      proxy.refused++
      client.destroy()
      return
    }
    const upstream = connect(port, HOST)
    const produces = new Set<number>()
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.once('error', end).once('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on(
      'data',
      frames((frame) => {
        if (frame.readInt16BE(4) === PRODUCE) produces.add(frame.readInt32BE(8))
        upstream.write(frame)
      }),
    )
    upstream.on(
      'data',
      frames((frame) => {
        const produced = produces.delete(frame.readInt32BE(4))
        if (produced && drop(++proxy.answered)) {
          proxy.dropped++
          end()
        } else if (!client.destroyed) client.write(renamed(frame))
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  const own = (server.address() as { port: number }).port
  const [theirs, ours] = [address(port), address(own)]

  /** Brokers tell where they are; a client that believed it would go around this. */
  function renamed(frame: Buffer): Buffer {
    for (let at = frame.indexOf(theirs); at >= 0; at = frame.indexOf(theirs, at + ours.length)) ours.copy(frame, at)
    return frame
  }

  const proxy: Proxy = {
    brokers: `${HOST}:${own}`,
    answered: 0,
    dropped: 0,
    refused: 0,
    away() {
      isAway = true
      for (const socket of sockets) socket.destroy()
    },
    back() {
      isAway = false
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return proxy
}

/** Host and port as answers have them: a string with its length, a 32-bit integer. */
function address(port: number): Buffer {
  const bytes = Buffer.alloc(2 + HOST.length + 4)
  bytes.writeInt16BE(HOST.length)
  bytes.write(HOST, 2)
  bytes.writeInt32BE(port, 2 + HOST.length)
  return bytes
}

/** Cuts a stream into messages of the protocol, their length in front. */
function frames(each: (frame: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE()) {
      const end = 4 + rest.readInt32BE()
      each(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  }
}
