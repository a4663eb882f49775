import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FORMATS } from '../../../../schemas/feeds-out/formats/format-table.ts'

const READING = 'tests/contract/feeds'

/** The cells of each row of the first table, of the formats that it names. */
function rows(): Map<string, string[]> {
  const [, ...lines] = readFileSync('docs/reference/feeds-out-formats.md', 'utf8')
    .split('\n| Format | ')[1]!
    .split('\n\n')[0]!
    .split('\n')
  const cells = lines.slice(1).map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
  return new Map(
    cells.flatMap(([names, ...rest]) => [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => [name!, rest])),
  )
}

test('the table has a row for each format, with its media type and the programs that read it', () => {
  const told = [...rows()].map(([name, [mediaType, , readBy]]) => [name, mediaType, readBy])
  const listed = FORMATS.map(({ name, mediaType, readBy }) => [
    name,
    `\`${mediaType.split('; ')[0]}\``,
    readBy ?? 'unverified',
  ])
  expect(told.sort()).toEqual(listed.sort())
})

test('a format is called read by programs where a contract test compares what they read, and nowhere else', () => {
  const tests = readdirSync(READING)
    .filter((name) => name.startsWith('formats-'))
    .map((name) => readFileSync(`${READING}/${name}`, 'utf8'))
    .join('\n')
  for (const { name, readBy } of FORMATS) {
    const compared = tests.includes(`valuesOf('${name}')`) || tests.includes(`read.${name}`)
    expect([name, compared]).toEqual([name, readBy !== null])
    for (const program of readBy?.split(', ') ?? []) expect(tests).toContain(program)
  }
})
