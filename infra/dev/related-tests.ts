/** Read on every run: they hold for the whole tree and take less than a second. */
const ALWAYS = ['tests/unit/infra/walls.imports.test.ts']

/** The file or folder that a unit test is about: `tests/unit/api/app.bad-input.test.ts` is about `api/app`. */
const subjectOf = (test: string): string =>
  test.replace(/^tests\/unit\//, '').replace(/([^/.]+)(?:\.[^/]+)?\.test\.ts$/, '$1')

/**
 * The unit tests of changed files (paths from the root of the tree, of `tests` too): those of the file itself, of the
 * folders that hold it, and tests that were changed themselves. Tests stand at the path of what they test (ADR 285), so
 * no module has to be read to find them.
 */
export function relatedTests(changed: readonly string[], tests: readonly string[]): string[] {
  const subjects = new Set(
    changed.flatMap((file) => {
      const parts = file.replace(/\.[^/.]+$/, '').split('/')
      return parts.map((_, i) => parts.slice(0, i + 1).join('/'))
    }),
  )
  const related = tests.filter((test) => changed.includes(test) || subjects.has(subjectOf(test)))
  return [...new Set([...ALWAYS, ...related])].filter((test) => tests.includes(test))
}
