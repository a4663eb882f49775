import { expect, test } from 'vitest'
import { FORMATS } from '../../../../../schemas/feeds-out/formats/format-table.ts'
import { person } from '../../../../builders/accounts/people.ts'
import { feedsArea } from '../../../../builders/api/feeds-area.ts'
import { during } from '../../../../builders/suite/during.ts'

const area = during(feedsArea)

test('the formats are told to everybody, with their types, media types and who reads them', async () => {
  const { status, body } = await area.call({}, 'GET', '/formats')
  expect([status, body.length]).toEqual([200, FORMATS.length])
  const mediaType = expect.stringMatching(/^text\/plain/)
  expect(body[0]).toEqual({ name: 'text', mediaType, types: 'any', readBy: 'str.splitlines of Python' })
  expect(body.find(({ name }: { name: string }) => name === 'palo-ip')).toMatchObject({
    types: ['ip', 'cidr'],
    readBy: null,
  })
})

test('the list for existing clients has a level for the accuracy that a feed asks for', async () => {
  const { headers } = await person(area.people.accounts, { roles: ['user'] })
  for (const [i, accuracy] of [undefined, { gte: 0 }, { lte: 3 }, { gte: 2 }, { gte: 3 }].entries()) {
    const selector = accuracy === undefined ? {} : { accuracy }
    await area.call(headers, 'POST', '/feeds', { name: `feed ${i}`, selector })
  }
  const { status, body } = await area.call(headers, 'GET', '/list')
  expect(status).toBe(200)
  expect(body).toEqual(
    ['level3', 'level2', 'level1', 'level1', 'level1'].map((accuracy, i) => ({
      name: `feed ${4 - i}`,
      type: 'accumulative',
      accuracy,
    })),
  )
  expect((await area.call({}, 'GET', '/list')).body).toEqual([])
})
