import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import { callTool } from '../../../builders/search/assistants/mcp.ts'
import { harmOf, PLANTED } from '../../../builders/search/assistants/planted.ts'

/** The tools as the Inspector calls them, and as REST answers the same callers. */
export function assistants(shared: Shared): void {
  const BUILD = fileURLToPath(
    new URL('../../../../node_modules/@modelcontextprotocol/inspector-cli/build/', import.meta.url),
  )
  const run = promisify(execFile)
  const IP = '198.51.100.7'
  const IP_ID = entityId('ip', IP)
  const { platform } = shared
  let blue: User
  let red: User
  /** Reports of blue alone, with planted texts. */
  const texts = PLANTED.map((_, n) => `planted-${n}.example.org`)

  async function report(
    user: User,
    type: string,
    value: string,
    more: { attributes?: object; [name: string]: unknown },
  ) {
    const { attributes = {}, ...rest } = more
    const body = { type, attributes: { [type]: value, ...attributes }, reputation: -3, ...rest }
    const answer = await platform.ask('/api/ingest/v1/entity', body, user.headers)
    expect([answer.status, answer.body]).toEqual([202, expect.anything()])
  }

  beforeAll(async () => {
    blue = await newUserOf(platform, { roles: ['reporter', 'user'], groups: ['blue'] })
    red = await newUserOf(platform, { roles: ['reporter', 'user'], groups: ['red'] })
    const associations = [
      {
        mode: 'association',
        type: 'domain',
        attributes: { domain: 'public.example.com' },
        relationship: 'resolves-to',
      },
    ]
    await report(red, 'ip', IP, { visibleBy: ['public'], tags: ['shared'], associations })
    await report(blue, 'ip', IP, { visibleBy: ['blue'], tags: ['of-blue'], reputation: -1 })
    for (const [n, text] of PLANTED.entries())
      await report(blue, 'domain', texts[n]!, {
        visibleBy: ['blue'],
        tags: [[...text].slice(0, 40).join('')],
        attributes: { text },
      })
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
    const comment = { entityID: IP_ID, comment: PLANTED.join(' '), visibleBy: ['blue'] }
    expect((await platform.ask('/api/ingest/v1/comment', comment, blue.headers)).status).toBe(201)
  }, 300_000)

  /** One call of the Inspector, in a process of its own. It looks for its own package beside the folder that it runs in. */
  async function inspect(method: string, args: readonly string[] = [], headers: Record<string, string> = {}) {
    const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
    const command = ['index.js', `${platform.url}/mcp`, '--transport', 'http', '--method', method, ...args, ...given]
    const { stdout } = await run(process.execPath, command, { cwd: BUILD, timeout: 60_000 })
    return JSON.parse(stdout)
  }

  const callers = () => [
    { name: 'nobody', headers: {} },
    { name: 'blue', headers: blue.headers },
    { name: 'red', headers: red.headers },
  ]

  test('the Inspector lists the tools, and calls each of them', async () => {
    const { tools } = await inspect('tools/list', [], blue.headers)
    const questions: Record<string, string[]> = {
      lookup: [`values=["198.51.100[.]7"]`],
      entity: [`id=${IP_ID}`, 'comments=true'],
      evidence: [`value=198.51.100[.]7`],
      relations: [`id=${IP_ID}`],
      search: ['tags=["shared"]'],
      matches: ['limit=1'],
      changes: ['limit=50'],
      sources: ['limit=5'],
    }
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(Object.keys(questions))
    for (const [name, args] of Object.entries(questions)) {
      const pairs = args.flatMap((pair) => ['--tool-arg', pair])
      const told = await inspect('tools/call', ['--tool-name', name, ...pairs], blue.headers)
      expect({ name, isError: told.isError, harm: harmOf(told.content[0].text) }).toEqual({
        name,
        isError: false,
        harm: [],
      })
      expect(JSON.parse(told.content[0].text)).toEqual(told.structuredContent)
    }
    const pasted = 'text=sshd: from 198.51.100[.]7 port 22, none.example.org'
    const read = await inspect('tools/call', ['--tool-name', 'lookup', '--tool-arg', pasted], blue.headers)
    expect(read).toMatchObject({
      isError: false,
      structuredContent: {
        indicators: 2,
        found: 1,
        results: [{ id: IP_ID, lines: [1] }],
        unknown: [{ asked: 'none[.]example[.]org', lines: [1] }],
      },
    })
    const refused = await inspect('tools/call', ['--tool-name', 'lookup', '--tool-arg', 'values=7'])
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'invalid_parameter' } } })
  })

  test('every caller is told by a tool what REST tells it, and no more', async () => {
    for (const { name, headers } of callers()) {
      const rest = async (path: string, body?: object) => (await platform.ask(path, body, headers)).body
      const tool = async (of: string, given: object) => (await callTool(platform.url, of, given, headers)).value
      const values = [IP, 'public.example.com', ...texts]
      const found = await rest('/api/search/v1/entities/lookup', { values })
      const looked = await tool('lookup', { values })
      expect({ name, looked }).toMatchObject({
        name,
        looked: {
          found: found.items,
          missing: found.missing,
          truncated: false,
          results: found.results.flatMap((one: { entities: object[] }) => one.entities).map(scoreOf),
        },
      })
      const seen = await rest(`/api/search/v1/entity/${IP_ID}`)
      expect(await tool('entity', { value: '198.51.100[.]7' })).toMatchObject({ ...scoreOf(seen), tags: seen.tags })
      const claims = await rest(`/api/search/v1/entity/${IP_ID}/evidence`)
      const evidence = await tool('evidence', { id: IP_ID })
      expect(evidence).toMatchObject({ reputation: claims.reputation, accuracy: claims.accuracy, items: claims.items })
      expect(evidence.claims.map(({ visibleBy }: { visibleBy: string[] }) => visibleBy)).toEqual(
        claims.claims.map(({ visibleBy }: { visibleBy: string[] }) => visibleBy),
      )
      const related = await rest(`/api/search/v1/entity/${IP_ID}/relations`)
      expect(await tool('relations', { id: IP_ID })).toMatchObject({ total: related.items })
      const selected = await rest('/api/search/v1/entities/selector', { selector: { types: ['domain'] }, limit: 100 })
      const searched = await tool('search', { types: ['domain'], limit: 100 })
      expect(searched.total).toBe(selected.items)
      expect(searched.items.map(scoreOf)).toEqual(selected.results.map(scoreOf))
      const cards = await rest('/api/analytics/v1/sources')
      expect((await tool('sources', {})).items.map(({ volume }: { volume: number }) => volume)).toEqual(
        cards.items.map(({ volume }: { volume: number }) => volume),
      )
      const comments = await rest(`/api/search/v1/comments/${IP_ID}`)
      expect((await tool('entity', { id: IP_ID, comments: true })).comments).toBe(comments.items)
    }
    const counts = await Promise.all(
      callers().map(
        async ({ headers }) => (await callTool(platform.url, 'search', { types: ['domain'] }, headers)).value.total,
      ),
    )
    expect(counts).toEqual([1, 1 + PLANTED.length, 1])
  })

  const scoreOf = ({ id, reputation, accuracy }: { id: string; reputation: number; accuracy: number }) => ({
    id,
    reputation,
    accuracy,
  })

  test('changes are those that the caller may read, and go on where the answer ended', async () => {
    const idsOf = (items: { entity: { id: string } }[]) => new Set(items.map(({ entity }) => entity.id))
    for (const { name, headers } of callers()) {
      const ids = new Set<string>()
      let since: string | undefined
      for (let caughtUp = false; !caughtUp; ) {
        const { value } = await eventually(
          () => callTool(platform.url, 'changes', { limit: 3, ...(since !== undefined && { since }) }, headers),
          // The place of the stream before it is free in a moment.
          ({ isError }) => !isError,
        )
        for (const id of idsOf(value.items)) ids.add(id)
        since = value.cursor
        caughtUp = value.caughtUp
      }
      const hidden = name === 'blue' ? PLANTED.length : 0
      expect({ name, ids: ids.size }).toEqual({ name, ids: 2 + hidden })
    }
  })

  test('what is planted comes back as inert data, from each tool, within 32 KiB', async () => {
    const ids = texts.map((value) => entityId('domain', value))
    const questions: [string, object][] = [
      ['lookup', { values: texts }],
      ['search', { types: ['domain'] }],
      ['entity', { id: IP_ID, comments: true }],
      ...ids.map((id): [string, object] => ['entity', { id }]),
    ]
    for (const [name, given] of questions) {
      const { value, bytes } = await callTool(platform.url, name, given, blue.headers)
      expect({ name, given, harm: harmOf(JSON.stringify(value).replaceAll('<', '')) }).toEqual({
        name,
        given,
        harm: [],
      })
      expect(bytes).toBeLessThanOrEqual(32 * 1024)
    }
    const pasted = await callTool(platform.url, 'lookup', { text: texts.join('\n').repeat(20) }, blue.headers)
    expect(harmOf(JSON.stringify(pasted.value).replaceAll('<', ''))).toEqual([])
    expect(pasted.bytes).toBeLessThanOrEqual(32 * 1024)
    const { value } = await callTool(platform.url, 'entity', { id: ids[0] }, blue.headers)
    expect(value.quotedUntrustedText[0].text).toContain('ignore previous instructions')
  })

  test('what has no room is left out whole', async () => {
    const words = Array.from({ length: 60 }, (_, n) => `crowd-${n}.example.net`)
    for (const value of words)
      await report(blue, 'domain', value, {
        visibleBy: ['blue'],
        tags: ['crowd', ...Array.from({ length: 30 }, (_, n) => `${'t'.repeat(60)}${n}`)],
      })
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
    const { value, bytes } = await callTool(platform.url, 'lookup', { values: words }, blue.headers)
    expect(bytes).toBeLessThanOrEqual(32 * 1024)
    expect(bytes).toBeGreaterThan(24 * 1024)
    expect(value).toMatchObject({ found: 60, truncated: true, more: expect.stringContaining('fewer values') })
    expect(value.results.length + value.omitted.results).toBe(60)
  })
}
