import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { blocksOf, readerIn } from '../../../builders/infra/page.ts'
import type { Ran } from '../../../builders/platform/command.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** docs/start/from-elsewhere.md, command by command, as a user of another product types it. */
export function fromElsewhere(shared: Shared): void {
  const { folder, platform } = shared
  const blocks = blocksOf('docs/start/from-elsewhere.md')
  const said: { code: string; ran: Ran }[] = []
  let read: ReturnType<typeof readerIn>

  beforeAll(async () => {
    const desk = join(folder, 'desk')
    mkdirSync(desk)
    read = readerIn(desk, {
      HARRIER_URL: platform.url,
      HARRIER_DATA_DIR: folder,
      HARRIER_API_KEY: ADMINISTRATOR['api-key'],
      HARRIER_API_SECRET: ADMINISTRATOR['api-secret'],
    })
  })

  const TAXII = { ...ADMINISTRATOR, accept: 'application/taxii+json;version=2.1' }

  /** A reader looks up from the page meanwhile: what was sent is in the answers, and lists and collections are made. */
  async function applied(): Promise<void> {
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
    await eventually(
      () => platform.ask('/api/feeds/v1/feeds'),
      ({ body }) => body.items.every(({ state }: { state: string }) => state === 'live'),
    )
    const { body } = await platform.ask('/api/feeds/v1/feeds')
    for (const { id } of body.items as { id: string }[])
      await eventually(
        () => platform.ask(`/taxii2/harrier/collections/${id}/manifest/?limit=1`, undefined, TAXII),
        ({ body }) => body.objects?.length > 0,
      )
  }

  test.each(blocks.map((block, at) => ({ ...block, at })))(
    '$section, block $at runs',
    async (block) => {
      const ran = await read(block)
      said.push({ code: block.code, ran })
      expect(ran, block.code).toMatchObject({ code: 0, stdout: expect.not.stringMatching(/"error":/) })
      await applied()
    },
    120_000,
  )

  /** A command that the page has in one block alone, and what that block printed. */
  test.each([
    ['--format stix', /^3 observations published, 0 lines rejected.*^lost indicator x_opencti_score 1$/ms],
    ['--format taxii', /objects read, [1-9]\d* observations published, 0 lines rejected/],
    ['$ID/relations', /"type":"malware"/],
    ['--format misp ', /^2 observations published, 0 lines rejected/m],
    ['--format misp-feed', /^1 event read, 0 unchanged/m],
    ['--format warninglist', /^1 observation published, 0 lines rejected/m],
    ['harrier lookup -', /Malicious +-3 Alarming.*payroll-login\.example/],
    ['--format lines', /^2 observations published.*\n1 observation published, 0 lines rejected/m],
    ['harrier feed get', /"message":"acknowledged"/],
    ['198.51.100.134", "192.0.2.1', /"items":2,"missing":1.*"tags":\["ssh"\].*\{"accepted":1,"rejected":0\}/s],
    ['--dry-run', /2 entities reported.*would be retracted.*2 /s],
  ])('%s prints what the page promises', (command, printed) => {
    const found = said.filter(({ code }) => code.includes(command))
    expect(found.map(({ ran }) => ran.stdout)).toEqual([expect.stringMatching(printed)])
  })

  test('check answers the fields that the page shows', () => {
    const [check] = said.filter(({ code }) => code.includes('"value": "198.51.100.132"}'))
    expect(JSON.parse(check!.ran.stdout)).toMatchObject({
      reputation: -2,
      accuracy: 1,
      wellKnown: false,
      coveredBy: [],
    })
  })

  test('the number of sources and the location are where the page says', async () => {
    const { body: around } = await platform.ask('/api/search/v1/around', { value: '198.51.100.134' })
    expect(Object.keys(around.location)).toEqual(['country', 'asn', 'aso'])
    const { body } = await platform.ask(`/api/search/v1/entity/${around.id}/evidence`)
    expect(body.standing.sources).toBe(1)
    expect((await platform.ask('/api/search/v1/entity', { type: 'ip', value: '192.0.2.1' })).status).toBe(404)
  })

  test('a report of 0 by the same source clears what it reported, and a retraction what a feed did', async () => {
    const scores = ['198.51.100.135', '198.51.100.132'].map(async (value) => {
      const { status, body } = await platform.ask('/api/search/v1/entity', { type: 'ip', value })
      return [status, body.reputation, body.retracted]
    })
    expect(await Promise.all(scores)).toEqual([
      [200, 0, undefined],
      [200, 0, true],
    ])
  })
}
