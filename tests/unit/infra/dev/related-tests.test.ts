import { expect, test } from 'vitest'
import { relatedTests } from '../../../../infra/dev/related-tests.ts'

const IMPORTS = 'tests/unit/infra/walls.imports.test.ts'
const TESTS = [
  'tests/unit/api/app.bad-input.test.ts',
  'tests/unit/api/http/bodies/body.test.ts',
  'tests/unit/cli/commands/doctor.test.ts',
  'tests/unit/cli/commands/doctor/log-checks.partitions.test.ts',
  'tests/unit/docs.test.ts',
  IMPORTS,
  'tests/unit/schemas/intelligence/ingest/expand.refusals.test.ts',
  'tests/unit/schemas/intelligence/ingest/expand.test.ts',
]

const cases = [
  { name: 'nothing changed: the imports alone', changed: [], want: [] },
  {
    name: 'every topic of a file',
    changed: ['schemas/intelligence/ingest/expand.ts'],
    want: [
      'tests/unit/schemas/intelligence/ingest/expand.refusals.test.ts',
      'tests/unit/schemas/intelligence/ingest/expand.test.ts',
    ],
  },
  {
    name: 'the test of the folder, and not those of its other files',
    changed: ['cli/commands/doctor/accounts-checks.ts'],
    want: ['tests/unit/cli/commands/doctor.test.ts'],
  },
  { name: 'a document', changed: ['docs/use/search.md'], want: ['tests/unit/docs.test.ts'] },
  {
    name: 'a changed test',
    changed: ['tests/unit/api/http/bodies/body.test.ts'],
    want: ['tests/unit/api/http/bodies/body.test.ts'],
  },
  { name: 'a file with a name that begins like a tested one', changed: ['api/application.ts'], want: [] },
]

for (const { name, changed, want } of cases)
  test(`related tests: ${name}`, () => expect(relatedTests(changed, TESTS).sort()).toEqual([IMPORTS, ...want].sort()))
