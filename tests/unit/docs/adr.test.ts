import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { citingFiles } from '../../builders/infra/repository.ts'

/** Every decision record can be found: by its title, by its area in the index, and from the code that cites it. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const FOLDER = join(ROOT, 'docs/contribute/adr')

/** `# N. title`, then status, area and date, then the text. */
const HEAD = /^# (\d+)\. (\S.*)\n\nStatus: (.+)\nArea: (.+)\nDate: (\d{4}-\d{2}-\d{2})\n\n\S/
const STATUS = /^(accepted|superseded by ADR \d+|amended by ADR \d+(, ADR \d+)*)$/

const index = readFileSync(join(FOLDER, 'README.md'), 'utf8')
const areas = [...index.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, area]) => area!)
const records = readdirSync(FOLDER)
  .filter((file) => file !== 'README.md')
  .map((file) => {
    const [, number, title, status, area] = HEAD.exec(readFileSync(join(FOLDER, file), 'utf8')) ?? []
    return { file, number: Number(number), title, status, area }
  })
const numbers = new Set(records.map(({ number }) => number))

/** The lines of the index with the area of their section, as they should be written for each record. */
const listed = index.split(/^## /m).flatMap((section) => {
  const area = section.split('\n', 1)[0]!.toLowerCase()
  return section.split('\n').flatMap((line) => (line.startsWith('| [') ? [`${area} ${line}`] : []))
})

const cited = (text: string): number[] =>
  [...text.matchAll(/\bADRs? (\d+(?:(?:, | and |, and )(?:ADR )?\d+)*)|docs\/contribute\/adr\/(\d{4})/g)].flatMap(
    (match) => [...(match[1] ?? match[2]!).matchAll(/\d+/g)].map(([digits]) => Number(digits)),
  )

test('the index lists its areas', () => {
  expect(areas.length).toBeGreaterThan(5)
  expect(new Set(areas).size).toBe(areas.length)
})

for (const { file, number, title, status, area } of records)
  test(`${file} begins with title, status, area and date`, () => {
    expect(title).toBeDefined()
    expect(file.slice(0, 5)).toBe(`${String(number).padStart(4, '0')}-`)
    expect(status).toMatch(STATUS)
    expect(areas).toContain(area)
    expect(cited(status!).filter((later) => later <= number || !numbers.has(later))).toEqual([])
  })

test('no two decision records share a number', () => {
  expect(numbers.size).toBe(records.length)
})

test('the index lists every decision once, under its area, with its title and status', () => {
  const wanted = records.map(
    ({ file, title, status, area }) => `${area} | [${file.slice(0, 4)}](${file}) | ${title} | ${status} |`,
  )
  expect(listed.toSorted()).toEqual(wanted.toSorted())
})

test('every decision that the code or the documents cite exists', () => {
  const found = citingFiles().flatMap((file) =>
    cited(readFileSync(join(ROOT, file), 'utf8')).map((number) => ({ file, number })),
  )
  expect(found.length).toBeGreaterThan(100)
  expect(found.filter(({ number }) => !numbers.has(number))).toEqual([])
})

test('citations are read in all of their forms', () => {
  expect(cited('(ADR 5, ADR 10), ADRs 1, 2 and 3, docs/contribute/adr/0020-name.md; ADR 4: 12')).toEqual([
    5, 10, 1, 2, 3, 20, 4,
  ])
})
