import { afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { SocketFrame } from '../../../../schemas/live/socket-frames.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** The socket that existing clients use, by the package `ws`. */
export function socket(shared: Shared): void {
  const { platform } = shared
  let blue: User
  const open: WebSocket[] = []

  beforeAll(async () => {
    blue = await newUserOf(platform, { roles: ['reporter'], groups: ['blue'] })
  }, 180_000)
  afterEach(() => {
    for (const one of open.splice(0)) one.terminate()
  })

  const LIVE = '/api/analytics/v1/live'

  const ticketOf = async (as: Record<string, string> | null): Promise<string> => {
    const { status, body } = await platform.ask(`${LIVE}/ticket`, undefined, as)
    expect(status).toBe(200)
    const left = Date.parse(body.expiresAt) - Date.now()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(30_000)
    return body.ticket
  }

  type Opened = { frames: SocketFrame[]; status: number; closed: () => number | null }

  /** Opens the socket; 101, or the status that it was refused with. */
  function connect(query: string, headers: Record<string, string> = {}): Promise<Opened> {
    const frames: SocketFrame[] = []
    let code: number | null = null
    const socket = new WebSocket(`${platform.url.replace('http', 'ws')}${LIVE}${query}`, { headers })
    open.push(socket)
    socket.on('message', (data, isBinary) => {
      expect(isBinary).toBe(false)
      frames.push(JSON.parse(String(data)))
    })
    socket.on('close', (given) => {
      code = given
    })
    return new Promise((resolve, reject) => {
      const opened = (status: number): void => resolve({ frames, status, closed: () => code })
      socket.on('open', () => opened(101))
      socket.on('unexpected-response', (_, { statusCode }) => opened(statusCode ?? 0))
      socket.on('error', reject)
    })
  }

  /** Once the place of a socket before it is free. */
  const connected = (as: Record<string, string> | null): Promise<Opened> =>
    eventually(
      async () => connect(`?ticket=${await ticketOf(as)}`),
      ({ status }) => status === 101,
    )

  async function report(value: string, given: object = {}): Promise<void> {
    const body = { type: 'domain', attributes: { domain: value }, reputation: -3, visibleBy: ['public'], ...given }
    expect((await platform.ask('/api/ingest/v1/entity', body, blue.headers)).status).toBe(202)
  }

  test('frames tell what is new, malicious and related, to each what it may read', async () => {
    const anyone = await connected(null)
    const member = await connected(blue.headers)
    await report('ours.example', { visibleBy: ['blue'] })
    await report('good.example', { reputation: 2 })
    await report('bad.example', {
      associations: [{ mode: 'association', type: 'ip', attributes: { ip: '203.0.113.4' } }],
    })
    // Between partitions there is no order.
    const until = ({ frames }: Opened, most: number) =>
      eventually(
        async () => frames,
        (all) => all.filter(({ value }) => value.endsWith('.example')).length === most,
      )
    await Promise.all([until(anyone, 4), until(member, 6)])
    const told = ({ frames }: Opened, value: string) => frames.filter((frame) => frame.value === value)
    expect(told(anyone, 'ours.example')).toEqual([])
    expect(told(member, 'ours.example').map(({ type }) => type)).toEqual(['entity.created', 'entity.malicious'])
    expect(told(anyone, 'good.example').map(({ type }) => type)).toEqual(['entity.created'])
    expect(told(anyone, 'bad.example').map(({ type }) => type)).toEqual([
      'entity.created',
      'entity.malicious',
      'entity.linked',
    ])
    const [, , linked] = told(anyone, 'bad.example')
    expect(linked).toMatchObject({ mode: 'association', toEntityId: expect.stringMatching(/^ip-[0-9a-f]{64}$/) })
  })

  test('a ticket opens once, and not beside other credentials', async () => {
    const refused = await ticketOf(blue.headers)
    expect((await connect(`?ticket=${refused}`, blue.headers)).status).toBe(401)
    let ticket = ''
    await eventually(
      async () => {
        ticket = await ticketOf(blue.headers)
        return connect(`?ticket=${ticket}`)
      },
      ({ status }) => status === 101,
    )
    expect((await connect(`?ticket=${ticket}`)).status).toBe(401)
    expect((await connect(`?ticket=${'x'.repeat(43)}`)).status).toBe(401)
    expect((await connect('')).status).toBe(400)
  })

  test('a request that is no handshake is answered with 426', async () => {
    const answer = await fetch(`${platform.url}${LIVE}?ticket=x`)
    expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket'])
  })

  test('a socket of somebody who is disabled ends within seconds', async () => {
    const user = await newUserOf(platform, { roles: ['reporter'], groups: [] })
    const socket = await connected(user.headers)
    const disabled = await fetch(`${platform.url}/auth/v2/admin/user/${user.id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...ADMINISTRATOR },
      body: JSON.stringify({ disabled: true }),
    })
    expect(disabled.status).toBe(200)
    await eventually(
      async () => socket.closed(),
      (code) => code !== null,
    )
  })
}
