// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is text of the product.
import type { Fault } from '../fault.ts'

/** Several that want the same, and what belongs to a customer. */
export const ACCOUNTS: readonly Fault[] = [
  {
    name: 'a scanner that lost its lease still submits what it found',
    file: 'connectors/postgres/scans/scan-work.ts',
    text: "\n      .where('fence', '=', fence)",
    instead: '',
    test: { project: 'platform', file: 'tests/contract/database/work.test.ts', title: 'a lease that was lost' },
  },
  {
    name: 'two scanners at once get one task',
    file: 'connectors/postgres/scans/scan-work.ts',
    text: 'await sql`SELECT pg_advisory_xact_lock(hashtextextended(${TURN}, 0))`.execute(tx)',
    instead: '',
    test: {
      project: 'platform',
      file: 'tests/contract/database/work.test.ts',
      title: 'takers at the same time get every task once',
      server: 'DATABASE_URL',
    },
  },
  {
    name: 'the last owner may leave a customer',
    file: 'schemas/accounts/team.ts',
    text: "facts.owners <= 1 ? 'last_owner'",
    instead: "facts.owners < 1 ? 'last_owner'",
    test: {
      project: 'platform',
      file: 'tests/contract/team/model.test.ts',
      title: 'memberships are those of the model',
    },
  },
  {
    name: 'changes of one customer do not take turns',
    file: 'connectors/postgres/accounts/team/memberships.ts',
    text: '.forUpdate()',
    instead: '.forKeyShare()',
    test: {
      project: 'platform',
      file: 'tests/contract/team/race.test.ts',
      title: 'and the promises hold',
      server: 'DATABASE_URL',
    },
  },
  {
    name: 'a loan may take a counter past its limit',
    file: 'connectors/postgres/accounts/plan/limit-counters.ts',
    text: 'sql`least(${left}, greatest(${need}::bigint, least(${wish}::bigint, ${left} / ${sql.lit(SHARE)})))`',
    instead: 'sql`greatest(${need}::bigint, least(${wish}::bigint, ${left} / ${sql.lit(SHARE)}))`',
    test: {
      project: 'platform',
      file: 'tests/contract/limits/postgres.test.ts',
      title: 'four processes together admit exactly',
      server: 'DATABASE_URL',
    },
  },
  {
    name: 'of the events of a customer that wait, the last one is tried first',
    file: 'connectors/postgres/lifecycle/lifecycle-store.ts',
    text: "'earlier.seq', '<', 'r.seq'",
    instead: "'earlier.seq', '>', 'r.seq'",
    test: {
      project: 'platform',
      file: 'tests/contract/lifecycle/model.test.ts',
      title: 'the stores end as the model says',
    },
  },
]
