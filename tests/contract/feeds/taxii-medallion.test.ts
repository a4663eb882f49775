import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importer } from '../../builders/feeds/import/run.ts'
import { orSkip, taxiiServer } from '../../clients/prepare.ts'

/** Collections of the server that OASIS wrote. */
const PATH = '/shared/collections/91a7b528-80eb-42ed-a74d-c6fbd5a26116/'
const TYPE = 'application/taxii+json;version=2.1'
const USER = 'harrier:open%20sesame'

const idOf = (n: number) => `indicator--11111111-1111-4111-8111-${String(n).padStart(12, '0')}`
const indicator = (n: number, rest: object = {}) => ({
  type: 'indicator',
  spec_version: '2.1',
  id: idOf(n),
  created: '2026-01-01T00:00:00.000Z',
  modified: '2026-01-01T00:00:00.000Z',
  pattern: `[ipv4-addr:value = '198.51.100.${n}']`,
  pattern_type: 'stix',
  valid_from: '2026-01-01T00:00:00Z',
  ...rest,
})

test('a collection is imported in pages, once, and what is revoked is remembered', async ({ skip }) => {
  const server = await orSkip(taxiiServer(3), skip)
  try {
    const base = `http://127.0.0.1:${server.port}${PATH}`
    const authorization = `Basic ${Buffer.from('harrier:open sesame').toString('base64')}`
    const headers = { accept: TYPE, 'content-type': TYPE, authorization }
    const add = async (objects: object[]) => {
      const init = { method: 'POST', headers, body: JSON.stringify({ objects }) }
      expect((await fetch(`${base}objects/`, init)).status).toBe(202)
    }
    const { ports, run, dataDir } = await importer()
    const loss = join(dataDir, 'loss.json')
    const url = base.replace('http://', `http://${USER}@`)
    const args = [url, '--format', 'taxii', '--feed', 'medallion', '--loss', loss]
    const values = () =>
      ports
        .observations()
        .map(({ value }) => value)
        .sort()

    expect(await run(args)).toMatchObject({
      fault: null,
      out: '0 objects read, 0 observations published, 0 lines rejected\n',
    })
    const first = [1, 2, 3, 4, 5, 6, 7].map((n) => indicator(n, { description: 'x' }))
    await add(first)
    const { fault, out, err } = await run(args)
    expect(fault).toBeNull()
    expect(values()).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `198.51.100.${n}`))
    expect(out).toContain(
      '7 objects read, 7 observations published, 0 lines rejected, everything that was added until 20',
    )
    expect(out).toContain('lost indicator created 7\nlost indicator description 7\n')
    expect(out + err).not.toContain('sesame')
    const lost = [
      { type: 'indicator', property: 'created', n: 7 },
      { type: 'indicator', property: 'description', n: 7 },
    ]
    expect(JSON.parse(await readFile(loss, 'utf8'))).toEqual({ lost })

    expect((await run(args)).out).toContain('0 objects read')
    await add([indicator(2, { modified: '2026-02-01T00:00:00.000Z', revoked: true }), indicator(8)])
    expect((await run(args)).out).toContain('2 objects read, 1 observation published')
    expect(values()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `198.51.100.${n}`))
    const known = await ports.objects.find('feed:medallion', new Set([idOf(2), idOf(8)]))
    expect(known.get(idOf(2))).toMatchObject({ claims: [], gone: [{ from: expect.any(Number) }] })
    expect(known.get(idOf(8))).toMatchObject({ claims: [{ until: 0 }], gone: [] })

    // From the beginning, it is all read again: what was revoked stays so.
    expect((await run([...args, '--restart'])).out).toContain('8 objects read, 7 observations published')
    expect(values().filter((value) => value === '198.51.100.2')).toHaveLength(1)
  } finally {
    await server.stop()
  }
})

test('it refuses wrong credentials and unknown collections, and nothing of them is printed', async ({ skip }) => {
  const server = await orSkip(taxiiServer(3), skip)
  try {
    const { run, dataDir } = await importer()
    const asUser = (user: string) => `http://${user}127.0.0.1:${server.port}${PATH}`
    const args = ['--format', 'taxii', '--feed', 'medallion']
    const token = join(dataDir, 'token')
    await writeFile(token, 'wrong-sesame\n')
    for (const [url, ...rest] of [
      [asUser('harrier:wrong-sesame@')],
      [asUser('')],
      [asUser(''), '--token-file', token],
    ]) {
      const { fault, out, err } = await run([url!, ...args, ...rest])
      expect(fault?.message).toContain(
        'answered 401: the credentials are missing, wrong or without the required rights',
      )
      expect(`${fault?.message}${fault?.stack}${out}${err}`).not.toContain('sesame')
    }
    const unknown = asUser(`${USER}@`).replace('91a7b528', '91a7b529')
    expect((await run([unknown, ...args])).fault?.message).toContain('answered 404: there is no such collection')
  } finally {
    await server.stop()
  }
})

test('it is followed until it is interrupted, and says what was done', async ({ skip }) => {
  const server = await orSkip(taxiiServer(3), skip)
  try {
    const { ports, run } = await importer()
    const stop = new AbortController()
    const url = `http://${USER}@127.0.0.1:${server.port}${PATH}`
    const follow = ['--follow', '--interval', '1']
    const running = run([url, '--format', 'taxii', '--feed', 'medallion', ...follow], stop.signal)
    for (const n of [1, 2]) {
      const authorization = `Basic ${Buffer.from('harrier:open sesame').toString('base64')}`
      const headers = { accept: TYPE, 'content-type': TYPE, authorization }
      const init = { method: 'POST', headers, body: JSON.stringify({ objects: [indicator(n)] }) }
      expect((await fetch(`http://127.0.0.1:${server.port}${PATH}objects/`, init)).status).toBe(202)
      await expect.poll(() => ports.observations().length, { timeout: 20_000 }).toBe(n)
    }
    stop.abort()
    expect(await running).toMatchObject({
      fault: { exitCode: 130, message: expect.stringContaining('2 objects read') },
      out: expect.stringContaining('2 objects read'),
    })
  } finally {
    await server.stop()
  }
})
