/** Drives the client that openapi-generator makes for typescript-fetch, and is checked against its types. */

import { setTimeout as sleep } from 'node:timers/promises'
import {
  AddMemberRequestRoleEnum,
  AnalyticsApi,
  Configuration,
  type ErrorAnswer,
  IngestApi,
  ResponseError,
  SearchApi,
  type SearchHistorySimple200Response,
} from './made/index.js'

const [url = '', key = '', secret = '', value = ''] = process.argv.slice(2)
const configuration = new Configuration({ basePath: url, apiKey: (name) => (name === 'api-key' ? key : secret) })
const anonymous = new Configuration({ basePath: url })

/** What a request is refused with. */
async function refusal(ask: Promise<unknown>): Promise<{ response: Response; code: string }> {
  try {
    await ask
  } catch (thrown) {
    if (!(thrown instanceof ResponseError)) throw thrown
    const body = (await thrown.response.json()) as ErrorAnswer
    return { response: thrown.response, code: body.error.code }
  }
  return { response: Response.error(), code: 'none' }
}

/** The first search that finds the entity, within 30 s. */
async function found(): Promise<SearchHistorySimple200Response> {
  const until = performance.now() + 30_000
  for (;;) {
    try {
      return await new SearchApi(anonymous).searchHistorySimple({ searchHistorySimpleRequest: { query: value } })
    } catch (thrown) {
      if (!(thrown instanceof ResponseError) || performance.now() > until) throw thrown
      await sleep(50)
    }
  }
}

/** The refusal after as many requests as the limit allows. */
async function limited() {
  for (let i = 0; i < 10; i++) {
    const refused = await refusal(new AnalyticsApi(anonymous).getAttribution())
    if (refused.code !== 'none') return refused
  }
  throw new Error('never limited')
}

const reported = await new IngestApi(configuration).reportEntity({
  reportEntityRequest: {
    type: 'ip',
    attributes: { ip: value, asn: 64500 },
    reputation: -2,
    tags: ['generated'],
    associations: [{ mode: 'association', type: 'domain', attributes: { domain: 'login.example.com' } }],
  },
})
const page = await found()
const overview = await new AnalyticsApi(configuration).getOverview({ days: 2 })
const missing = await refusal(new SearchApi(configuration).getEntity({ id: `ip-${'0'.repeat(64)}` }))
const refused = await limited()
console.log(
  JSON.stringify({
    reported: reported.id,
    found: [page.items, page.results[0]?.attributes?.asn, page.results[0]?.reputation, page.aggregations],
    counted: overview.window.days,
    role: AddMemberRequestRoleEnum.User,
    error: [missing.response.status, missing.code],
    limited: [refused.response.status, refused.code, refused.response.headers.get('ratelimit-remaining')],
  }),
)
