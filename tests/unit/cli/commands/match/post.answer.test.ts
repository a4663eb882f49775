import { expect, test } from 'vitest'
import { readAnswer } from '../../../../../cli/commands/match/post.ts'

const read = (body: string | null, count = 2) => readAnswer(new Response(body), count)

test('an answer says what became of each line', async () => {
  expect(await read('{"line":1,"id":"a"}\n{"line":2,"id":"b"}\n')).toEqual({ accepted: 2, refused: [] })
  const error = { code: 'invalid_parameter', message: 'must be text', param: 'at' }
  const answer = await read(`${JSON.stringify({ line: 2, error })}\n\n{"line":1,"id":"a"}`)
  expect(answer).toEqual({ accepted: 1, refused: [{ line: 2, reason: 'at must be text' }] })
})

test.each([
  [{ code: 'c', message: 'at: must be text', param: 'at' }, 'at: must be text'],
  [{ code: 'c', message: 'no' }, 'no'],
  [{ code: 'c' }, 'c'],
])('the reason of %j', async (error, reason) => {
  expect((await read(JSON.stringify({ line: 1, error }), 1))?.refused).toEqual([{ line: 1, reason }])
})

test.each([
  ['nothing', null],
  ['a line too few', '{"line":1,"id":"a"}\n'],
  ['one line twice', '{"line":1,"id":"a"}\n{"line":1,"id":"a"}\n'],
  ['half a line', '{"line":1,"id":"a"}\n{"line":2,"i'],
  ['a line that was not sent', '{"line":1,"id":"a"}\n{"line":3,"id":"a"}\n'],
  ['line 0', '{"line":0,"id":"a"}\n{"line":1,"id":"a"}\n'],
  ['neither id nor error', '{"line":1,"id":"a"}\n{"line":2}\n'],
  ['null', 'null\n{"line":1,"id":"a"}\n'],
  ['another page', '<html>\n<body>\n'],
  ['a line without end', 'x'.repeat(200_000)],
])('is not whole: %s', async (_, body) => {
  expect(await read(body)).toBeNull()
})
