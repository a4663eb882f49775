import { describe, expect, test } from 'vitest'
import {
  type RetractedPage,
  type RetractionPage,
  RetractionPending,
} from '../../../../../connectors/operations/retractions/port.ts'
import { asAdmin, errorOf, startApi } from '../../../../builders/api/api.ts'

const PATH = '/api/admin/v1/retractions'
const NOW = Date.parse('2026-06-01T00:00:00Z')
const WINDOW = { feed: 'bad-list', from: '2026-05-01T00:00:00Z', to: '2026-05-02T02:00:00+02:00', preview: false }
const PLACE = { entityId: `ip-${'0'.repeat(64)}`, audience: 2n ** 63n }
const PAGE: RetractedPage = { found: 9, retracted: 5, refused: 1, before: 3, changed: 3, left: 0, next: PLACE }

/** Posts a body; the answer, and what the platform was asked for. */
async function post(body: object, page: RetractedPage | Error | null = PAGE) {
  const asked: RetractionPage[] = []
  const retractions = {
    page: async (question: RetractionPage) => {
      asked.push(question)
      if (page instanceof Error) throw page
      return page
    },
  }
  const api = await startApi({ retractions, now: () => NOW })
  try {
    const headers = { ...asAdmin, 'content-type': 'application/json' }
    const response = await fetch(api.url + PATH, { method: 'POST', headers, body: JSON.stringify(body) })
    return { response, asked }
  } finally {
    await api.close()
  }
}

describe('retractions', () => {
  test('a page is asked for by its window, and the next one from where it ended', async () => {
    const { response, asked } = await post({ ...WINDOW, reason: 'sold', preview: true })
    const answer = (await response.json()) as { next: string }
    const { next: _, ...counts } = PAGE
    expect([response.status, answer]).toEqual([
      200,
      { ...counts, to: '2026-05-02T00:00:00.000Z', next: `${PLACE.entityId}/${PLACE.audience}` },
    ])
    const from = Date.parse(WINDOW.from)
    const to = Date.parse('2026-05-02T00:00:00Z')
    expect(asked).toEqual([{ feed: 'bad-list', from, to, reason: 'sold', preview: true, after: null }])
    const second = await post({ ...WINDOW, after: answer.next }, { ...PAGE, next: null })
    expect(second.asked).toMatchObject([{ preview: false, reason: null, after: PLACE }])
    expect(((await second.response.json()) as { next: null }).next).toBeNull()
  })

  test('without an end the window ends now, and the answer says when that was', async () => {
    const { response, asked } = await post({ feed: 'bad-list', from: WINDOW.from, preview: true })
    expect(asked).toMatchObject([{ to: NOW }])
    expect(await response.json()).toMatchObject({ to: new Date(NOW).toISOString() })
  })

  test('a feed without reports is a 404 that names it', async () => {
    const { response } = await post(WINDOW, null)
    expect(response.status).toBe(404)
    expect(await errorOf(response)).toMatchObject({ code: 'not_found', message: 'the feed bad-list has no reports' })
  })

  test('that the jobs do not apply in time is a 503 that says so', async () => {
    const { response } = await post(WINDOW, new RetractionPending(2_000))
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await errorOf(response)).toMatchObject({
      code: 'retraction_pending',
      message: expect.stringMatching(/not all retractions .* send the same request again/),
    })
  })

  test.each([
    { param: 'from', body: { ...WINDOW, from: 'yesterday' } },
    { param: 'to', body: { ...WINDOW, to: '2026-05-02T00:00:00' } },
    { param: 'from', body: { ...WINDOW, from: '2026-05-03T00:00:00Z' } },
    { param: 'to', body: { ...WINDOW, to: '2026-06-01T00:00:01Z' } },
    { param: 'after', body: { ...WINDOW, after: 'ip-1/2' } },
    { param: 'after', body: { ...WINDOW, after: `${PLACE.entityId}/${2n ** 64n}` } },
    { param: 'reason', body: { ...WINDOW, reason: 'a\nb' } },
    { param: 'feed', body: { ...WINDOW, feed: '' } },
    { param: 'preview', body: { ...WINDOW, preview: undefined } },
  ])('refuses a wrong $param and asks for nothing: $body', async ({ param, body }) => {
    const { response, asked } = await post(body)
    expect([response.status, (await errorOf(response)).param, asked]).toEqual([400, param, []])
  })
})
