import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { kyselyEmails } from '../../../../../../connectors/postgres/accounts/users/email-store.ts'
import { person } from '../../../../../builders/accounts/people.ts'
import { crew, embeddedPeople } from '../../../../../builders/accounts/team.ts'
import { asAdmin, startApi } from '../../../../../builders/api/api.ts'
import { during } from '../../../../../builders/suite/during.ts'

const people = during(embeddedPeople)
const api = during(() => startApi({ accounts: people.accounts, team: people.team, emails: kyselyEmails(people.db) }))

type Headers = Record<string, string>

const found = async (headers: Headers, path: string) => {
  const response = await fetch(`${api.url}/auth/v2/user/${path}`, { headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const emailOf = async (id: string) => (await people.accounts.user(id))!.email

test('oneself and members of the own customer are found, in whatever case', async () => {
  const { owner, user } = await crew(people)
  for (const { headers } of [owner, user]) {
    const email = (await emailOf(owner.id)).toUpperCase()
    expect(await found(headers, `by-email?email=${encodeURIComponent(email)}`)).toEqual({
      status: 200,
      body: { userID: owner.id },
    })
    expect((await found(headers, owner.id)).body).toEqual({ userID: owner.id, alias: expect.any(String) })
  }
})

test('a stranger, somebody of another customer and nobody are one and the same 404', async () => {
  const [{ owner }, other] = [await crew(people), await crew(people)]
  const stranger = await person(people.accounts)
  const refused = async (headers: Headers, path: string) => {
    const { status, body } = await found(headers, path)
    const { error_id: _, ...error } = body.error as Record<string, unknown>
    return { status, error }
  }
  const none = await refused(owner.headers, 'by-email?email=nobody@example.com')
  expect(none.status).toBe(404)
  for (const [headers, id] of [
    [owner.headers, stranger.id],
    [owner.headers, other.owner.id],
    [stranger.headers, owner.id],
  ] as const) {
    expect(await refused(headers, `by-email?email=${encodeURIComponent(await emailOf(id))}`)).toEqual(none)
    expect((await refused(headers, id)).status).toBe(404)
  }
})

test('whoever is added to a customer is found by its members once it has accepted', async () => {
  const { owner } = await crew(people)
  const user = await person(people.accounts)
  const add = { caller: owner.id, target: user.id, change: { kind: 'add', role: 'user' } } as const
  await people.team.change({ ...add, membershipId: randomUUID() })
  const paths = [user.id, `by-email?email=${encodeURIComponent(await emailOf(user.id))}`]
  const statuses = () => Promise.all(paths.map(async (path) => (await found(owner.headers, path)).status))
  expect(await statuses()).toEqual([404, 404])
  await people.team.accept(user.id, null, Date.now())
  expect(await statuses()).toEqual([200, 200])
})

test('an administrator of accounts finds everybody, an anonymous caller nobody', async () => {
  const { owner } = await crew(people)
  const path = `by-email?email=${encodeURIComponent(await emailOf(owner.id))}`
  expect((await found(asAdmin, path)).body).toEqual({ userID: owner.id })
  expect((await found(asAdmin, owner.id)).status).toBe(200)
  expect((await found({}, path)).status).toBe(401)
  expect((await found(asAdmin, randomUUID())).status).toBe(404)
})
