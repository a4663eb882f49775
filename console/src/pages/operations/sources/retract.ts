import { client } from '../../../api/client.ts'
import type { paths } from '../../../api/schema.d.ts'

type Post = paths['/api/admin/v1/retractions']['post']
export type Asked = Omit<NonNullable<Post['requestBody']>['content']['application/json'], 'after'>
export type Counts = Omit<Post['responses'][200]['content']['application/json'], 'next' | 'to'>

const NONE: Counts = { found: 0, retracted: 0, refused: 0, before: 0, changed: 0, left: 0 }

/**
 * Asks for one page after the other until all are done or `signal` is aborted; what is done so far is told after each.
 * Resolves to what was asked for, with the end of the window: whoever asks for that again asks for the same.
 */
export async function retract(asked: Asked, told: (so: Counts) => void, signal: AbortSignal): Promise<Asked> {
  let body = asked
  let sum = NONE
  for (let after: string | null | undefined; after !== null && !signal.aborted; ) {
    const page = await client.POST('/api/admin/v1/retractions', {
      body: after === undefined ? body : { ...body, after },
      signal,
    })
    const { next, to, ...counts } = page.data!
    body = { ...body, to }
    sum = plus(sum, counts)
    told(sum)
    after = next
  }
  return body
}

const plus = (a: Counts, b: Counts): Counts => ({
  found: a.found + b.found,
  retracted: a.retracted + b.retracted,
  refused: a.refused + b.refused,
  before: a.before + b.before,
  changed: a.changed + b.changed,
  left: a.left + b.left,
})
