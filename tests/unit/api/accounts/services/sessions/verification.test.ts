import { expect, test } from 'vitest'
import { bearer, DAY, MINUTE, newEmail, type Opened, sessionArea } from '../../../../../builders/api/session-area.ts'
import { during } from '../../../../../builders/suite/during.ts'

const area = during(sessionArea)

const REFUSED = {
  status: 400,
  body: { error: { message: 'code: is wrong, has expired or was already used', param: 'code' } },
}
const LIMITED = { status: 429, body: { error: { code: 'rate_limited', message: 'rate limit exceeded' } } }

const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** An opened session and its code. */
async function waiting(email = newEmail()) {
  const opened = (await area.register(email)).body as Opened
  return { id: opened.verificationCodeID, code: area.mail.codeFor(email), bearer: opened.bearer, email }
}

test('four wrong tries leave the right one, five leave nothing', async () => {
  for (const [tries, status] of [
    [4, 200],
    [5, 400],
  ] as const) {
    const { id, code } = await waiting()
    for (let i = 0; i < tries; i++) expect(await area.verify(id, wrong(code))).toMatchObject(REFUSED)
    expect((await area.verify(id, code)).status).toBe(status)
  }
})

test('of fifty wrong tries at once, five are looked at', async () => {
  const { id, code } = await waiting()
  const answers = await Promise.all(Array.from({ length: 50 }, () => area.verify(id, wrong(code))))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
  expect(await area.verify(id, code)).toMatchObject(REFUSED)
})

test('a code is good for ten minutes, and the bearer with it', async () => {
  const early = await waiting()
  const late = await waiting()
  area.clock.now += 10 * MINUTE - 1
  expect((await area.verify(early.id, early.code)).status).toBe(200)
  area.clock.now += 1
  expect(await area.verify(late.id, late.code)).toMatchObject(REFUSED)
  const session = await area.call('GET', '/auth/v2/session', { headers: bearer(late.bearer) })
  expect(session.status).toBe(401)
})

test('a code is used once, even by many at once', async () => {
  const { id, code } = await waiting()
  const answers = await Promise.all(Array.from({ length: 5 }, () => area.verify(id, code)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await area.verify(id, code)).toMatchObject(REFUSED)
})

test('a code fits its own id alone', async () => {
  const [a, b] = [await waiting(), await waiting()]
  if (a.code !== b.code) expect(await area.verify(a.id, b.code)).toMatchObject(REFUSED)
  expect((await area.verify(a.id.toUpperCase(), a.code)).status).toBe(200)
})

test('two codes of one email are both good, and two registrations make one user', async () => {
  const email = newEmail()
  const first = await waiting(email)
  const second = await waiting(email)
  const users = []
  for (const { id, code, bearer: token } of [second, first]) {
    expect((await area.verify(id, code)).status).toBe(200)
    users.push((await area.call('GET', '/auth/v2/session', { headers: bearer(token) })).body.userID)
  }
  expect(users[0]).toBe(users[1])
})

test('an email, known or not, has from one network five codes in fifteen minutes and fifteen in a day', async () => {
  for (const [email, network] of [
    [newEmail(), '198.18.1'],
    [(await area.member()).email, '198.18.2'],
  ] as const) {
    let opened = 0
    const ip = () => `${network}.${opened + 1}`
    for (let quarter = 0; quarter < 4; quarter++) {
      for (let i = 0; i < 5 && opened < 15; i++, opened++)
        expect((await area.logIn(email, { ip: ip() })).status).toBe(201)
      const limited = await area.logIn(otherwise(email), { ip: ip() })
      expect(limited).toMatchObject(LIMITED)
      expect(limited.headers.get('x-error')).toBe('rate limit exceeded')
      area.clock.now += 15 * MINUTE
    }
    expect(opened).toBe(15)
    area.clock.now += DAY
    expect((await area.logIn(email, { ip: ip() })).status).toBe(201)
  }
})

test('one network that asks again and again locks nobody out who asks from another', async () => {
  const { email } = await area.member()
  const statuses = await Promise.all(
    Array.from({ length: 40 }, (_, i) => area.logIn(email, { ip: `198.18.10.${i}` }).then(({ status }) => status)),
  )
  expect(statuses.filter((status) => status === 201)).toHaveLength(5)
  expect((await area.logIn(email, { ip: '198.18.11.1' })).status).toBe(201)
})

test('many networks that ask all day neither lock out a network that has signed in before nor send more than 30 mails', async () => {
  const { email } = await area.member()
  const home = '198.18.20.7'
  const signIn = async (ip: string) => {
    const opened = await area.logIn(email, { ip })
    if (opened.status !== 201) return opened.status
    return (await area.verify(opened.body.verificationCodeID, area.mail.codeFor(email))).status
  }
  expect(await signIn(home)).toBe(200)
  let granted = 0
  for (let quarter = 0; quarter < 96; quarter++) {
    for (let i = 0; i < 12; i++) {
      const ip = `203.0.${(quarter * 12 + i) % 256}.9`
      if ((await area.logIn(email, { ip })).status === 201) granted++
    }
    // A neighbour of the network counts as it does; a stranger has nothing left.
    expect(await signIn(quarter % 2 === 0 ? home : '198.18.20.99')).toBe(200)
    expect((await area.logIn(email, { ip: `100.64.${quarter}.1` })).status).toBe(429)
    area.clock.now += 14 * MINUTE
    if (granted >= 30 && quarter > 8) break
  }
  expect(granted).toBe(30)
  expect(await area.dump()).not.toContain('198.18.20.0')
})

/** The same mailbox, written otherwise. */
const otherwise = (email: string) => email.toUpperCase()

test('of twenty requests for one email at once, five are granted', async () => {
  const email = newEmail()
  const answers = await Promise.all(Array.from({ length: 20 }, () => area.logIn(email, { ip: '198.18.30.1' })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
})

test('who reads the mails logs in as often as it likes', async () => {
  const { email } = await area.member()
  for (let i = 0; i < 8; i++) {
    const { body } = await area.logIn(email)
    expect((await area.verify(body.verificationCodeID, area.mail.codeFor(email))).status).toBe(200)
  }
})

test('an address, or a /64 of IPv6, has twenty codes in fifteen minutes', async () => {
  for (const [ip, neighbour, stranger] of [
    ['192.0.2.1', '192.0.2.1', '192.0.2.2'],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'],
  ] as const) {
    for (let i = 0; i < 20; i++) expect((await area.logIn(newEmail(), { ip })).status).toBe(201)
    expect(await area.logIn(newEmail(), { ip: neighbour })).toMatchObject(LIMITED)
    expect((await area.logIn(newEmail(), { ip: stranger })).status).toBe(201)
    area.clock.now += 15 * MINUTE
    expect((await area.logIn(newEmail(), { ip })).status).toBe(201)
  }
})

test('a mail that cannot be sent is a 500 for everybody, and its code is void but counted', async () => {
  const { email: known } = await area.member()
  const unknown = newEmail()
  area.mail.down = true
  for (const email of [known, unknown])
    for (let i = 0; i < 5; i++)
      expect(await area.logIn(email)).toMatchObject({ status: 500, body: { error: { message: 'internal error' } } })
  const codes = (await area.dump()).split('\n').filter((row) => row.includes(known) && row.startsWith('verification'))
  expect(codes.filter((row) => row.includes(',5,f,'))).toEqual([])
  expect(codes.filter((row) => row.includes(',0,f,'))).toHaveLength(5)
  area.mail.down = false
  for (const email of [known, unknown]) expect(await area.logIn(email)).toMatchObject(LIMITED)
})
