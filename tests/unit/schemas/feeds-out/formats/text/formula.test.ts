import { expect, test } from 'vitest'
import { notRun } from '../../../../../../schemas/feeds-out/formats/text/formula.ts'

const RUN = ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\r=1', '\u00a0@x', "'=1", " '-1"]

test.each(RUN)('a spreadsheet does not run %j', (text) => expect(notRun(text)).toBe(`'${text}`))

test.each(['example.com', '1-1', 'a=b', '', ' ', 'x@y.example'])('%j stays as it is', (text) =>
  expect(notRun(text)).toBe(text),
)
