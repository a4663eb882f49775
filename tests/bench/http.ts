/**
 * What the API adds to a request: POST entity, without the log, beside a bare Koa that echoes the same JSON.
 * Server and load run in processes of their own; the figure is the server's CPU time per request, which neighbours on
 * the machine disturb less than the rate. Run: node tests/bench/http.ts
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import Koa from 'koa'
import { createApp } from '../../api/app.ts'
import { cachedAccounts } from '../../connectors/accounts/cached.ts'
import { secretHash } from '../../schemas/credentials.ts'
import { apiConfig, apiPorts, noAccounts } from '../builders/ports.ts'

const SECONDS = 2
const ROUNDS = 5
const CONNECTIONS = 16

const BODY = JSON.stringify({
  type: 'ip',
  attributes: { ip: '8.8.8.8', country: 'United States', port: '53/udp', text: 'resolver seen in beacon traffic' },
  reputation: -2,
  tags: ['dns', 'beacon'],
  visibleBy: ['public'],
})

function echo(): Koa {
  return new Koa().use(async (ctx) => {
    const chunks: Buffer[] = []
    for await (const chunk of ctx.req) chunks.push(chunk as Buffer)
    ctx.body = JSON.parse(Buffer.concat(chunks).toString())
  })
}

function api(): Koa {
  const identity = {
    userId: '00000000-0000-4000-8000-000000000002',
    roles: ['reporter'] as const,
    ownGroups: ['public'],
    groups: ['public'],
    customerId: null,
    disabled: false,
    builtIn: false,
    by: null,
  }
  const credential = { secretHash: secretHash('secret'), expiresAt: null, verified: true, identity }
  const accounts = cachedAccounts({ ...noAccounts, keyPairCredential: async () => credential }, Date.now)
  return createApp(apiPorts({ accounts, log: { send: async () => undefined } }), apiConfig)
}

const apps: Record<string, () => Koa> = { echo, api }

/** The served side: tells its port, then its CPU microseconds whenever asked. */
function serve(name: string): void {
  const server = apps[name]!().listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send!(user + system)
  })
  process.on('disconnect', () => process.exit())
}

async function load(port: number, ms: number): Promise<number> {
  const request = `POST /api/ingest/v1/entity HTTP/1.1\r\nhost: x\r\napi-key: key\r\napi-secret: secret\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`
  let answers = 0
  const end = performance.now() + ms
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(port, '127.0.0.1')
      socket.on('data', (chunk) => {
        if (!chunk.includes('HTTP/1.1 20')) throw new Error(String(chunk))
        answers++
        if (performance.now() < end) socket.write(request)
        else socket.end()
      })
      socket.write(request)
      await once(socket, 'close')
    }),
  )
  return answers
}

async function measure(child: ReturnType<typeof fork>, port: number, ms: number) {
  const cpu = async () => {
    child.send('cpu')
    return Number((await once(child, 'message'))[0])
  }
  const before = await cpu()
  const answers = await load(port, ms)
  return { rate: answers / (ms / 1000), micros: ((await cpu()) - before) / answers }
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

async function main(): Promise<void> {
  const sides = await Promise.all(
    Object.keys(apps).map(async (name) => {
      const child = fork(fileURLToPath(import.meta.url), [name])
      const port = Number((await once(child, 'message'))[0])
      await measure(child, port, 1000) // warm
      return { name, child, port, micros: [] as number[], rate: [] as number[] }
    }),
  )
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of sides) {
      const { rate, micros } = await measure(side.child, side.port, SECONDS * 1000)
      side.rate.push(rate)
      side.micros.push(micros)
    }
  }
  for (const { name, micros, rate, child } of sides) {
    console.log(
      `${name.padEnd(5)} ${median(micros).toFixed(1)} us CPU a request, ${median(rate).toFixed(0)} requests/s`,
    )
    child.disconnect()
  }
  const [base, measured] = sides.map(({ micros }) => median(micros))
  console.log(`api reaches ${(base! / measured!).toFixed(2)} of the echo`)
}

if (process.argv[2] === undefined) await main()
else serve(process.argv[2])
