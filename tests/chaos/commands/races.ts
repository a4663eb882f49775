import { postgresDatabase } from '../../../connectors/postgres/core/server-database.ts'
import type { MemberRole } from '../../../schemas/accounts/team.ts'
import { peopleOf } from '../../builders/accounts/team.ts'
import { raceOf } from '../../contract/team/race.ts'
import { command } from '../harness/outcome.ts'
import { startPostgres } from '../harness/servers/postgres.ts'

/** Who the administration appoints meanwhile: with owners among them, a customer may have several. */
const RACES: readonly { appointed: readonly MemberRole[]; share: number }[] = [
  { appointed: ['admin', 'user'], share: 0.7 },
  { appointed: ['owner', 'owner', 'user'], share: 0.3 },
]

export const races = command({
  what: 'many change, leave, transfer and delete the same few customers at once, on a PostgreSQL of its own',
  options: { rounds: 20_000, connections: 8, seed: 1 },
  async run({ rounds, connections, seed }, print) {
    const postgres = await startPostgres()
    const people = peopleOf(
      await postgresDatabase({ url: postgres.url, poolSize: connections, onConnectionLost: () => undefined }),
    )
    try {
      const began = performance.now()
      const used = process.cpuUsage()
      const sums = { ownerless: 0, twice: 0, 'second owners': 0 }
      for (const { appointed, share } of RACES) {
        const race = { rounds: Math.ceil(rounds * share), atOnce: connections, appointed, seed }
        const { ownerless, twice, severalOwners } = await raceOf(people, race)
        print(
          `${race.rounds} rounds, appointing ${appointed.join(', ')}: ${JSON.stringify({ ownerless, twice, severalOwners })}`,
        )
        sums.ownerless += ownerless
        sums.twice += twice
        // The administration may appoint several.
        if (!appointed.includes('owner')) sums['second owners'] += severalOwners
      }
      const { user, system } = process.cpuUsage(used)
      const figures = {
        rounds,
        changes: rounds * connections,
        ...sums,
        seconds: (performance.now() - began) / 1000,
        'CPU seconds without the server': (user + system) / 1e6,
      }
      return { figures, faults: Object.entries(sums).flatMap(([what, n]) => (n > 0 ? [`${what}: ${n}`] : [])) }
    } finally {
      await people.close()
      postgres.remove()
    }
  },
})
