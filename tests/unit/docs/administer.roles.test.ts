import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { apiRoutes } from '../../../api/app.ts'
import { ROLES } from '../../../schemas/accounts/accounts.ts'
import { apiConfig, apiPorts } from '../../builders/api/ports.ts'

const page = readFileSync('docs/administer/roles.md', 'utf8')
const rows = [...page.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)].map(([, role, , paths]) => ({
  role: role!,
  paths: [...paths!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!),
}))
const routes = apiRoutes(apiPorts(), apiConfig)
const isUnder = (path: string, start: string): boolean => path === start || path.startsWith(`${start}/`)

test('the page of roles has a row for each', () => {
  expect(rows.map(({ role }) => role)).toEqual([...ROLES])
})

test.each(rows)(
  '$role: every route that needs it is under a path of its row, and each path has one',
  ({ role, paths }) => {
    const needing = routes.filter(({ access }) => access === role).map(({ path }) => path)
    expect(needing.filter((path) => !paths.some((start) => isUnder(path, start)))).toEqual([])
    expect(paths.filter((start) => !needing.some((path) => isUnder(path, start)))).toEqual([])
  },
)
