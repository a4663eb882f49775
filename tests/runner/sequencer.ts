import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longest, the slowest first. On a clean clone Vitest knows no durations and sorts by size: a short file
 * with a long test would begin last and run alone at the end.
 */
export const SLOW = [
  'tests/chaos/rebuild-commands.test.ts',
  'tests/chaos/commands.test.ts',
  'tests/chaos/kill.test.ts',
  'tests/contract/history/writes.test.ts',
  'tests/contract/history/reads.test.ts',
  'tests/contract/history/entities.test.ts',
  'tests/contract/log/kafka.test.ts',
  'tests/contract/database/casework.test.ts',
  'tests/contract/database/one-session.test.ts',
  'tests/contract/lifecycle/mutants.test.ts',
  'tests/contract/team/race.test.ts',
  'tests/contract/history/writes/rescore.test.ts',
  'tests/contract/history/feeds.test.ts',
  'tests/contract/history/reads/search-oracle.test.ts',
  'tests/e2e/intelligence/audiences.test.ts',
  'tests/e2e/console/knowledge.test.ts',
  'tests/e2e/console/operating.test.ts',
  'tests/e2e/exchange/collections.test.ts',
  'tests/e2e/casework/fired.test.ts',
  'tests/e2e/exchange/bulk.test.ts',
  'tests/e2e/operation/rebuilds/replay.test.ts',
  'tests/e2e/operation/rebuilds/rescored.test.ts',
  'tests/e2e/operation/one-owner.test.ts',
  'tests/e2e/api/api-document.test.ts',
  'tests/e2e/intelligence/refusals.test.ts',
  'tests/e2e/operation/package.test.ts',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = SLOW.findIndex((file) => moduleId.endsWith(file))
  return at === -1 ? SLOW.length : at
}

/** The slow files in their order, then the others as Vitest sorts them. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
